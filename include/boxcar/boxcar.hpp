// The header includes all of Boxcar.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <boxcar/adapter.hpp>
#include <boxcar/append_buffer.hpp>
#include <boxcar/arithmetic.hpp>
#include <boxcar/biconveyor.hpp>
#include <boxcar/codec.hpp>
#include <boxcar/collection.hpp>
#include <boxcar/collection_mapping.hpp>
#include <boxcar/collective.hpp>
#include <boxcar/collective_options.hpp>
#include <boxcar/collective_run.hpp>
#include <boxcar/conveyor.hpp>
#include <boxcar/coroutine.hpp>
#include <boxcar/counter.hpp>
#include <boxcar/elastic_biconveyor.hpp>
#include <boxcar/elastic_conveyor.hpp>
#include <boxcar/error.hpp>
#include <boxcar/exchange.hpp>
#include <boxcar/grid_sizes.hpp>
#include <boxcar/index_box.hpp>
#include <boxcar/key_hash.hpp>
#include <boxcar/model.hpp>
#include <boxcar/remote_function.hpp>
#include <boxcar/remote_function_group.hpp>
#include <boxcar/route.hpp>
#include <boxcar/route_choice.hpp>
#include <boxcar/run.hpp>
#include <boxcar/schedule.hpp>
#include <boxcar/serializer.hpp>
#include <boxcar/statistics.hpp>
#include <boxcar/stream.hpp>
#include <boxcar/version.hpp>
#include <boxcar/window.hpp>
#include <boxcar/world.hpp>
