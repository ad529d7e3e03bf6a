// Rows of a sparse matrix as they come out of the workers, and their assembly into one CSR.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "control.hpp"
#include "graph.hpp"

namespace grape {

// An array left uninitialised, so that its pages are touched only when they are filled.
template <class T>
struct Buffer {
    std::unique_ptr<T[]> data;
    std::int64_t size = 0;

    Buffer() = default;
    explicit Buffer(std::int64_t n)
        : data(std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(n))), size(n) {}
};

struct Csr {
    Buffer<Offset> ptr;
    Buffer<Node> idx;
    Buffer<std::int64_t> val;
};

// What one worker has found for one role. Rows never straddle blocks, so a block can be copied
// out and freed on its own: the peak stays near the size of the final matrix.
class RowStore {
  public:
    explicit RowStore(Control& control) : control_(control) {}

    void start_row(Node ego, std::int64_t most);
    void push(Node u, std::int64_t value) {
        Block& block = blocks_.back();
        block.idx.data[block.used] = u;
        block.val.data[block.used] = value;
        ++block.used;
    }
    void end_row() { blocks_.back().rows.back().end = blocks_.back().used; }

    void add_lengths(std::vector<Offset>& length) const;
    void move_into(Csr& csr, const std::vector<Offset>& start);

  private:
    struct Row {
        Node ego;
        std::int64_t begin;
        std::int64_t end;
    };
    struct Block {
        Buffer<Node> idx;
        Buffer<std::int64_t> val;
        std::int64_t used = 0;
        std::vector<Row> rows;
    };

    Control& control_;
    std::vector<Block> blocks_;
};

// Joins the stores of all workers; rows of egos with keep[ego] == 0 are left out.
Csr assemble(Node num_nodes, std::vector<RowStore>& stores, const std::vector<std::uint8_t>& keep);

}  // namespace grape
