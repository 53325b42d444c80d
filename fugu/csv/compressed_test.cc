#include "fugu/file/compression.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <fcntl.h>

#include <string>

#include "fugu/file/byte_sink.h"
#include "fugu/file/byte_source.h"
#include "tests/support/tables.h"
#include "tests/support/temp_file.h"

namespace fugu {
namespace {

// What a sink makes of the pieces.
std::string sunk(const std::vector<std::string>& pieces, Compression compression) {
  TempFile file("");
  int descriptor = open(file.path().c_str(), O_RDWR | O_TRUNC);
  FileSink sink(descriptor, file.path(), compression);
  for (const std::string& piece : pieces) sink.write(piece);
  sink.finish();
  std::string bytes(static_cast<size_t>(lseek(descriptor, 0, SEEK_END)), '\0');
  EXPECT_EQ(pread(descriptor, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  close(descriptor);
  return bytes;
}

std::string read_back(const std::string& bytes, size_t block = 1 << 16) {
  TempFile file(bytes);
  FileSource source(file.path());
  std::string text, buffer(block, '\0');
  while (size_t size = source.read(buffer.data(), buffer.size())) text.append(buffer, 0, size);
  EXPECT_EQ(source.read(buffer.data(), buffer.size()), 0U);  // the end stays the end
  EXPECT_TRUE(bytes.empty() || source.fraction() == 1.0);
  return text;
}

Error unpacking_error(const std::string& bytes) {
  try {
    read_back(bytes);
  } catch (const Error& error) {
    return Error(error.kind(), error.message().substr(error.message().find(": ") + 2), error.hint());
  }
  return Error(ErrorKind::kBug, "no error", "");
}

std::string some_text(size_t rows) {
  std::string text = "s,x\n";
  for (size_t k = 0; k < rows; ++k) text += fmt::format("{},{}\n", k * k % 17, k * 7919 % 1000);
  return text;
}

TEST(Compression, IsToldByMagicAndByName) {
  EXPECT_EQ(compression_of("\x1f\x8b\x08"), Compression::kGzip);
  EXPECT_EQ(compression_of("\x28\xb5\x2f\xfd"), Compression::kZstd);
  EXPECT_EQ(compression_of("a,b\n"), Compression::kNone);
  EXPECT_EQ(compression_of(""), Compression::kNone);
  EXPECT_EQ(compression_for("out.csv.gz"), Compression::kGzip);
  EXPECT_EQ(compression_for("out.csv.zst"), Compression::kZstd);
  EXPECT_EQ(compression_for("out.csv"), Compression::kNone);
}

TEST(Compression, MembersOneAfterTheOther) {
  std::string text = some_text(100000);
  for (Compression compression : {Compression::kGzip, Compression::kZstd}) {
    std::string one = sunk({text}, compression), none = sunk({}, compression);
    EXPECT_LT(one.size(), text.size() / 2);
    EXPECT_EQ(read_back(one), text);
    EXPECT_EQ(read_back(none), "");
    EXPECT_EQ(read_back(one + none + one), text + text);
    EXPECT_EQ(read_back(sunk({"a"}, compression) + sunk({"b"}, compression), 1), "ab");
  }
}

TEST(Compression, TruncatedAndBrokenData) {
  std::string text = some_text(100000);
  for (Compression compression : {Compression::kGzip, Compression::kZstd}) {
    std::string name = compression == Compression::kGzip ? "gzip" : "zstd";
    std::string whole = sunk({text}, compression);
    for (size_t size : {size_t{4}, size_t{20}, whole.size() / 2, whole.size() - 1}) {
      Error error = unpacking_error(whole.substr(0, size));
      EXPECT_EQ(error.kind(), ErrorKind::kData);
      EXPECT_EQ(error.message(), fmt::format("the {} data ends too soon", name)) << size;
      EXPECT_EQ(error.hint(), "the file is incomplete; copy or make it again");
    }
    for (size_t at : {whole.size() / 2, whole.size() - 3}) {
      std::string broken = whole;
      broken[at] = static_cast<char>(broken[at] ^ 0x55);
      Error error = unpacking_error(broken);
      EXPECT_EQ(error.kind(), ErrorKind::kData);
      EXPECT_EQ(error.message(), fmt::format("the {} data is broken", name)) << at;
      EXPECT_EQ(error.hint(), fmt::format("check the file with {} -t, and copy or make it again", name));
    }
    EXPECT_EQ(unpacking_error(whole + "garbage").message(), fmt::format("the {} data is broken", name));
  }
}

TEST(Compression, TablesAreReadThroughIt) {
  std::string text = some_text(1000);
  TempFile plain(text);
  for (Compression compression : {Compression::kGzip, Compression::kZstd}) {
    TempFile packed(sunk({text}, compression));
    EXPECT_EQ(read_all(packed.path(), {}), read_all(plain.path(), {}));
    TempFile cut(sunk({text}, compression).substr(0, 30));
    try {
      read_all(cut.path(), {});
      FAIL();
    } catch (const Error& error) {
      EXPECT_TRUE(error.message().ends_with("data ends too soon")) << error.message();
    }
  }
}

TEST(ByteSink, ErrorsAreIo) {
  int full = open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  for (Compression compression : {Compression::kNone, Compression::kGzip, Compression::kZstd}) {
    FileSink sink(full, "out.csv", compression);
    try {
      sink.write("a,b\n");
      sink.finish();
      ADD_FAILURE() << "written to a full device";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kIo);
      EXPECT_TRUE(error.message().starts_with("out.csv: ")) << error.message();
    }
  }
  close(full);
}

RC_GTEST_PROP(Compression, ReadsBackWhatWasWritten, ()) {
  auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::arbitrary<std::string>());
  for (int times = *rc::gen::inRange(0, 12); times > 0 && !pieces.empty(); --times) pieces[0] += pieces[0];
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  RC_PRE(compression_of(text) == Compression::kNone);
  auto block = *rc::gen::element<size_t>(1, 7, 64, 100000);
  if (text.size() > 10000) block = 100000;
  for (Compression compression : {Compression::kNone, Compression::kGzip, Compression::kZstd}) {
    RC_ASSERT(read_back(sunk(pieces, compression), block) == text);
  }
}

}  // namespace
}  // namespace fugu
