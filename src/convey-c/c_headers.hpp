// The headers of the C interface, for those who implement it.
#pragma once

#define BOXCAR_CONVEY_OUT_OF_LINE
#include "biconvey.h"
#include "boxcar_world.h"
#include "convey.h"
