// The table of the blocks of records in a file is written, read and checked.
#include <utility>

#include <boxcar/detail/element_placement.hpp>
#include <boxcar/detail/record_file.hpp>
#include <boxcar/key_hash.hpp>

namespace boxcar::detail {

record_block record_block::of(std::span<const std::byte> bytes, std::uint64_t records) {
  return {bytes.size(), records, hash_bytes(bytes)};
}

void record_writer::save(const world& w, const std::string& name, std::string_view container,
                         const type_identity& type, const producer& produce) {
  record_writer writer;
  std::string problem = writer.run(produce);

  world all = world::another_handle_of(w.substrate());
  std::uint64_t bytes = 0;
  std::uint64_t records = 0;
  for (const record_block& b : writer.blocks_) {
    bytes += b.bytes;
    records += b.records;
  }
  const std::uint64_t blocks = writer.blocks_.size();
  const std::uint64_t all_blocks = all.reduce(blocks);
  const std::uint64_t first_block = all.exclusive_scan(blocks, 0);
  const std::uint64_t table = all_blocks * sizeof(record_block);
  const std::uint64_t all_bytes = table + all.reduce(bytes);
  writer.offset_ = table + all.exclusive_scan(bytes, 0);

  shared_file file = shared_file::create(
      w, name, {container, type, 0, all.reduce(records), all_bytes, all_blocks});
  writer.file_ = &file;
  file.write(first_block * sizeof(record_block), std::as_bytes(std::span(writer.blocks_)));
  if (problem.empty()) problem = writer.run(produce);
  if (problem.empty() && writer.next_ != blocks) problem = "the records have changed meanwhile";
  if (!problem.empty()) file.object(std::move(problem));
  file.close();
}

std::string record_writer::run(const producer& produce) {
  try {
    produce(*this);
    end_block();
    return "";
  } catch (const world_error&) {
    throw;
  } catch (const std::exception& e) {
    return std::string("a record cannot be written: ") + e.what();
  }
}

void record_writer::end_block() {
  if (records_ == 0) return;
  const record_block b = record_block::of(block_, std::exchange(records_, 0));
  if (file_ == nullptr) {
    blocks_.push_back(b);
  } else if (next_ == blocks_.size() || b != blocks_[next_++]) {
    throw argument_error("the serializer has written other bytes than for the same record before");
  } else {
    file_->write(offset_, block_);
    offset_ += b.bytes;
  }
  block_.clear();
}

record_reader::record_reader(const world& w, const std::string& name, std::string_view container,
                             const type_identity& type)
    : type_(type), file_(shared_file::open(w, name, {container, type, 0, 0, 0, 0})) {
  read_table(w);
}

void record_reader::read_table(const world& w) {
  world all = world::another_handle_of(w.substrate());
  const std::uint64_t table = file_.blocks() * sizeof(record_block);  // fits: open has compared
  const std::uint64_t first = first_of_even_block(file_.blocks(), w.size(), w.rank());
  const std::uint64_t end = first_of_even_block(file_.blocks(), w.size(), w.rank() + 1);
  blocks_.resize(end - first);
  std::uint64_t bytes = 0;
  std::uint64_t records = 0;
  bool is_wrong =
      !file_.read(first * sizeof(record_block), std::as_writable_bytes(std::span(blocks_)));
  for (const record_block& b : blocks_) {
    is_wrong =
        is_wrong || b.bytes > file_.bytes() - table - bytes || b.records > max_records_per_block;
    if (is_wrong) break;
    bytes += b.bytes;
    records += b.records;
  }
  offset_ = table + all.exclusive_scan(bytes, 0);
  const bool is_complete =
      table + all.reduce(bytes) == file_.bytes() && all.reduce(records) == file_.elements();
  if (is_wrong || !is_complete) {
    blocks_.clear();
    file_.object("the table of the blocks is wrong: the file was changed; save it again");
  }
}

bool record_reader::read(const record_block& b) {
  block_.resize(b.bytes);
  if (!file_.read(offset_, block_)) return false;
  if (record_block::of(block_, b.records) != b) {
    file_.object("a block of records at byte " + std::to_string(offset_) +
                 " of the data does not have its hash: the file was changed; save it again");
    return false;
  }
  offset_ += b.bytes;
  return true;
}

}  // namespace boxcar::detail
