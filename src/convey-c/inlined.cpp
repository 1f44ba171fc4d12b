// The functions that clients' compilers inline, for compilers that do not.
#define BOXCAR_CONVEY_INLINE
#include "convey.h"
