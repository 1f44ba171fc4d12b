// The functions that clients' compilers inline, for those that do not.
#define BOXCAR_CONVEY_INLINE
#include "convey.h"
