// The headers of the C interface, for the implementation of the interface.
#pragma once

#include "biconvey.h"
#include "boxcar_world.h"
#include "convey.h"
