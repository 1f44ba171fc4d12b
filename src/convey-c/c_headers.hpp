// The headers of the C interface, for those who implement it.
#pragma once

#include "biconvey.h"
#include "boxcar_world.h"
#include "convey.h"
