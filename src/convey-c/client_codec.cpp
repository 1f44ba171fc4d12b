#include "convey-c/client_codec.hpp"

#include <utility>

namespace boxcar::convey_c {
namespace {

convey_cargo_t in_c(const cargo& what, void* arg) {
  return {what.tag_bytes, what.item_bytes, what.packet_bytes, what.max_items, arg};
}

// The client's state for one end of a link: the result of the client's function `link`.
class client_link final : public codec_link {
 public:
  client_link(const convey_codec_t& functions, const convey_cargo_t& what, bool decompress)
      : functions_(functions), cargo_(what), data_(functions.link(&cargo_, decompress)) {}
  client_link(const client_link&) = delete;
  client_link& operator=(const client_link&) = delete;
  ~client_link() override {
    if (functions_.unlink != nullptr) functions_.unlink(&cargo_, data_);
  }
  [[nodiscard]] void* data() const { return data_; }

 private:
  convey_codec_t functions_;
  convey_cargo_t cargo_;
  void* data_;
};

void* data_of(codec_link* link) {
  return link == nullptr ? nullptr : static_cast<client_link*>(link)->data();
}

class adapter final : public codec {
 public:
  adapter(const convey_codec_t& functions, void* arg) : functions_(functions), arg_(arg) {}

  [[nodiscard]] std::string_view name() const override {
    return functions_.name == nullptr ? "unnamed" : functions_.name;
  }

  [[nodiscard]] std::optional<codec_layout> plan(const cargo& what) override {
    const convey_cargo_t c = in_c(what, arg_);
    convey_layout_t layout{};
    if (!functions_.plan(&c, &layout)) return std::nullopt;
    return codec_layout{.align = layout.align,
                        .stride = layout.stride,
                        .slack = layout.slack,
                        .offset = layout.offset,
                        .overrun = layout.overrun,
                        .modifies_packets = true};
  }

  [[nodiscard]] std::unique_ptr<codec_link> link(const cargo& what, direction way) override {
    if (functions_.link == nullptr) return nullptr;
    return std::make_unique<client_link>(functions_, in_c(what, arg_),
                                         way == direction::decompress);
  }

  [[nodiscard]] std::size_t compress(const cargo& what, codec_link* link, std::size_t n,
                                     std::byte* packets, std::size_t limit,
                                     std::byte* into) override {
    const convey_cargo_t c = in_c(what, arg_);
    return functions_.compress(&c, data_of(link), n, packets, limit, into);
  }

  void decompress(const cargo& what, codec_link* link, std::size_t n, std::size_t bytes,
                  std::byte* data, std::byte* packets) override {
    const convey_cargo_t c = in_c(what, arg_);
    functions_.decompress(&c, data_of(link), n, bytes, data, packets);
  }

 private:
  convey_codec_t functions_;
  void* arg_;
};

// --- The standard codec, for client codecs on top of the standard codec --------------------------

cargo from_c(const convey_cargo_t& c) {
  return {c.tag_size, c.item_size, c.packet_size, c.max_items};
}

codec& standard() {
  static const auto& one = *new std::shared_ptr<codec>(standard_codec());
  return *one;
}

bool standard_plan(const convey_cargo_t* c, convey_layout_t* layout) {
  const auto planned = standard().plan(from_c(*c));
  if (!planned) return false;
  *layout = {planned->align, planned->stride, planned->slack, planned->offset, planned->overrun};
  return true;
}

// Returns the codec_link of the standard codec, or nullptr if the codec has none.
void* standard_link(const convey_cargo_t* c, bool decompress) {
  return standard()
      .link(from_c(*c), decompress ? codec::direction::decompress : codec::direction::compress)
      .release();
}

std::size_t standard_compress(const convey_cargo_t* c, void* link, std::size_t n, void* packets,
                              std::size_t limit, void* into) {
  return standard().compress(from_c(*c), static_cast<codec_link*>(link), n,
                             static_cast<std::byte*>(packets), limit,
                             static_cast<std::byte*>(into));
}

void standard_decompress(const convey_cargo_t* c, void* link, std::size_t n, std::size_t bytes,
                         void* data, void* packets) {
  standard().decompress(from_c(*c), static_cast<codec_link*>(link), n, bytes,
                        static_cast<std::byte*>(data), static_cast<std::byte*>(packets));
}

void standard_unlink(const convey_cargo_t*, void* link) {
  delete static_cast<codec_link*>(link);
}

}  // namespace

std::shared_ptr<codec> client_codec(const convey_codec_t& functions, void* arg) {
  return std::make_shared<adapter>(functions, arg);
}

}  // namespace boxcar::convey_c

const convey_codec_t convey_standard_codec = {
    "standard",
    boxcar::convey_c::standard_plan,
    boxcar::convey_c::standard_link,
    boxcar::convey_c::standard_compress,
    boxcar::convey_c::standard_decompress,
    boxcar::convey_c::standard_unlink,
};
