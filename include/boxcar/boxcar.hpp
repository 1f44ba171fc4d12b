// Everything at once.
#pragma once

#include <boxcar/conveyor.hpp>
#include <boxcar/error.hpp>
#include <boxcar/exchange.hpp>
#include <boxcar/run.hpp>
#include <boxcar/statistics.hpp>
#include <boxcar/world.hpp>
