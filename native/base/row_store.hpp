// Rows of a sparse matrix as they come out of the workers, and their assembly into one CSR.
#pragma once

#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "base/control.hpp"
#include "base/graph.hpp"

namespace grape {

template <class T>
struct CsrOf {
    Buffer<Offset> ptr;
    Buffer<Node> idx;
    Buffer<T> val;
};
using Csr = CsrOf<std::int64_t>;

// What one worker has found of one matrix. Rows never straddle blocks, so a block can be copied
// out and freed on its own.
template <class T>
class RowStore {
  public:
    // While rows are joined, first the columns are there twice and then the values.
    static constexpr std::int64_t kBytesPerEntry = sizeof(Node) + 2 * sizeof(T);

    explicit RowStore(Control& control) : control_(control) {}

    // Makes room for `most` entries; throws std::bad_alloc if the budget does not allow them.
    void start_row(Node row, std::int64_t most);
    void push(Node column, T value) {
        Block& block = blocks_.back();
        const std::int32_t at = block.used++;  // columns may lie over it, as far as C++ knows
        block.idx[at] = column;
        block.val[at] = value;
    }
    void end_row();

    void add_lengths(std::vector<Offset>& length) const;
    void move_columns(Node* to, const std::vector<Offset>& start);
    void move_values(T* to, const std::vector<Offset>& start);

  private:
    struct Row {
        Node row;
        std::int32_t begin;  // within the block, which is no longer than a row of the matrix
        std::int32_t end;
    };
    struct Block {
        Buffer<Node> idx;
        Buffer<T> val;
        std::int32_t used = 0;
        std::vector<Row> rows;
    };

    Control& control_;
    std::vector<Block> blocks_;
    std::int64_t promised_ = 0;
};

// Joins the stores of all workers and empties them; rows with keep[row] == 0 are left out.
template <class T>
CsrOf<T> assemble(Node num_rows, std::vector<RowStore<T>>& stores,
                  const std::vector<std::uint8_t>& keep);

// Bytes that joining takes besides the entries.
inline std::int64_t assembly_bytes(Node num_rows) { return std::int64_t{16} * num_rows; }

}  // namespace grape
