#include "apps/studio/tables.h"

#include <gtest/gtest.h>

#include <fstream>

#include "fugu/core/error.h"
#include "fugu/count/table_count.h"

namespace fugu::studio {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

TEST(Beneath, OnlyWhatLiesInTheFolder) {
  const TemporaryFolder outer;
  const fs::path folder = outer.path() / "in";
  fs::create_directories(folder / "deep");
  write(outer.path() / "secret.csv", "a\n");
  write(folder / "t.csv", "a\n");
  write(folder / "deep" / "u.csv", "a\n");
  fs::create_symlink(outer.path() / "secret.csv", folder / "out.csv");
  fs::create_symlink(outer.path(), folder / "up");
  fs::create_symlink(folder / "t.csv", folder / "inside.csv");
  fs::create_directory(outer.path() / "in-beside");
  write(outer.path() / "in-beside" / "x.csv", "a\n");
  fs::create_symlink(outer.path() / "in-beside", folder / "beside");

  EXPECT_EQ(beneath(folder, "t.csv"), fs::canonical(folder / "t.csv"));
  EXPECT_EQ(beneath(folder, "deep/u.csv"), fs::canonical(folder / "deep/u.csv"));
  EXPECT_EQ(beneath(folder, "inside.csv"), fs::canonical(folder / "t.csv"));
  for (const std::string& name :
       {std::string("../secret.csv"), std::string("deep/../t.csv"), std::string("./t.csv"),
        std::string("out.csv"), std::string("up/secret.csv"), std::string("beside/x.csv"),
        std::string("deep"), std::string(""), std::string("absent.csv"), (folder / "t.csv").string(),
        std::string("/etc/passwd"), std::string("t.csv\0x", 7)})
    EXPECT_THROW(beneath(folder, name), Error) << name;
}

TEST(NewFileIn, TakesPlainNamesOnly) {
  EXPECT_EQ(new_file_in("out", "a.csv"), fs::path("out/a.csv"));
  for (const std::string name :
       {"", ".", "..", ".hidden", "-o", "a/b", "../a", "/a", "a\\b", "a\nb", "a\xE2\x80\xAEvsc.csv"})
    EXPECT_THROW(new_file_in("out", name), Error) << name;
}

TEST(Tables, OpensWhatWasNamedAndNothingElse) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "t.csv").string();
  write(path, "s,x\na,1\nb,2\n");
  Tables tables({path}, "", 1000);
  EXPECT_EQ(tables.open(path).path, path);
  EXPECT_EQ(tables.open(path).id, tables.open(path).id);
  EXPECT_EQ(tables.find(tables.open(path).id).name, path);
  EXPECT_THROW(tables.open("t.csv"), Error);
  EXPECT_THROW(tables.open("/etc/passwd"), Error);
  EXPECT_THROW(tables.find("t99"), Error);
}

TEST(Tables, DroppedTablesTakeBoundedSpace) {
  Tables tables({}, "", 10);
  std::vector<OpenTable> open;
  for (int k = 0; k < 3; ++k) {
    const std::string path = tables.upload_path();
    write(path, "123456\n");
    open.push_back(tables.add_upload(path, "../../etc/x.csv"));
  }
  EXPECT_EQ(open[2].name, "x.csv");
  EXPECT_FALSE(fs::exists(open[0].path));
  EXPECT_FALSE(fs::exists(open[1].path));
  EXPECT_TRUE(fs::exists(open[2].path));
  EXPECT_THROW(tables.find(open[0].id), Error);
  EXPECT_EQ(tables.find(open[2].id).path, open[2].path);
}

TEST(Tables, DroppedTablesAreBoundedInNumber) {
  Tables tables({}, "", 1 << 20);
  std::vector<OpenTable> open;
  std::vector<std::weak_ptr<KeptRows>> rows;
  for (int k = 0; k < 105; ++k) {
    const std::string path = tables.upload_path();
    write(path, "s,x\na,1\n");
    open.push_back(tables.add_upload(path, "x.csv"));
    rows.push_back(tables.rows(open.back(), {}));
  }
  EXPECT_FALSE(fs::exists(open[4].path));
  EXPECT_TRUE(fs::exists(open[5].path));
  EXPECT_THROW(tables.find(open[4].id), Error);
  EXPECT_TRUE(rows[96].expired());
  EXPECT_EQ(rows[97].lock(), tables.rows(open[97], {}));
}

TEST(Tables, NamesOfDroppedTablesCanStandInJson) {
  Tables tables({}, "", 100);
  auto named = [&](const std::string& name) {
    const std::string path = tables.upload_path();
    write(path, "a\n");
    return tables.add_upload(path, name).name;
  };
  EXPECT_EQ(named("\x91.csv"), "table.csv");
  EXPECT_EQ(named("s\xc3\xad.csv"), "s\xc3\xad.csv");
  EXPECT_EQ(named(std::string(199, 'x') + "\xc3\xad.csv"), std::string(199, 'x'));
  EXPECT_EQ(named(std::string(300, 'x')), std::string(200, 'x'));
}

CountedTable counted(KeptRows& rows, Missing missing) {
  const TableColumns columns{.secret = {"s"}, .published = {"x"}, .missing = missing};
  return count_table(columns, {}, {}, &rows);
}

TEST(KeptRows, CountTheSameAgainWithoutTheFile) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "t.csv").string();
  write(path, "s,x\na,1\nb,2\na,1\nb,\nc,\n");
  KeptRows rows(path, {});
  const CountedTable first = counted(rows, Missing::kKeep);
  fs::remove(path);
  const CountedTable again = counted(rows, Missing::kKeep);
  EXPECT_EQ(again.rows, 5U);
  ASSERT_EQ(again.cells.size(), first.cells.size());
  for (size_t k = 0; k < first.cells.size(); ++k) {
    EXPECT_EQ(again.cells[k].count, first.cells[k].count);
    EXPECT_EQ(again.cells[k].value, first.cells[k].value);
  }
  EXPECT_EQ(counted(rows, Missing::kDrop).dropped, 2U);
  try {
    counted(rows, Missing::kError);
    FAIL() << "a missing field passed";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("line 5"), std::string::npos) << error.message();
  }
}

TEST(KeptRows, AFileThatChangedIsReadAnew) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "t.csv").string();
  write(path, "s,x\na,1\nb,2\n");
  Tables tables({path}, "", 1000);
  const OpenTable table = tables.open(path);
  const auto before = tables.rows(table, {});
  EXPECT_EQ(tables.rows(table, {}), before);
  EXPECT_NE(tables.rows(table, {.header = false}), before);
  write(path, "s,x\na,1\nb,2\nb,2\n");
  const auto after = tables.rows(table, {});
  EXPECT_NE(after, before);
  EXPECT_EQ(counted(*after, Missing::kError).rows, 3U);
}

}  // namespace
}  // namespace fugu::studio
