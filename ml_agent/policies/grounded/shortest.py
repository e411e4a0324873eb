"""Assignment of rows to columns at the least cost, each once: shortest augmenting paths (Jonker, Volgenant, Crouse).

What scipy's `linear_sum_assignment` does, step by step, so that of equal assignments the same is chosen. To import scipy.optimize
takes as long as thousands of the small ones that a request makes; a large one is scipy's.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LARGE = 20_000
"""Numbers in a table from which on to import scipy pays."""


def least_cost(costs: "NDArray[Any]") -> list[tuple[int, int]]:
    """Row and column of each pair, by row; as many as there are rows or columns, whichever are fewer. All costs are finite."""
    if costs.size > _LARGE:
        from scipy.optimize import linear_sum_assignment

        rows, columns = linear_sum_assignment(costs)
        return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True)]
    if costs.shape[0] > costs.shape[1]:
        return sorted((i, j) for j, i in _wide(costs.T.tolist()))
    return _wide(costs.tolist())


def _wide(costs: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Of at most as many rows as columns."""
    columns = len(costs[0]) if costs else 0
    of_row, of_column = [0.0] * len(costs), [0.0] * columns
    """What the pairs so far make each of them cost."""
    column_of, row_of = [-1] * len(costs), [-1] * columns
    for first in range(len(costs)):
        before, so_far = [-1] * columns, [math.inf] * columns
        left = list(range(columns - 1, -1, -1))
        seen_rows, seen_columns = [first], []
        row, reached = first, 0.0
        while True:
            lowest, at, line, own = math.inf, -1, costs[row], of_row[row]
            for position, column in enumerate(left):
                cost = reached + line[column] - own - of_column[column]
                if cost < so_far[column]:
                    so_far[column], before[column] = cost, row
                cost = so_far[column]
                if cost < lowest or (cost == lowest and row_of[column] < 0):
                    lowest, at = cost, position
            reached, column = lowest, left[at]
            seen_columns.append(column)
            left[at] = left[-1]
            left.pop()
            if row_of[column] < 0:
                break
            row = row_of[column]
            seen_rows.append(row)
        of_row[first] += reached
        for row in seen_rows[1:]:
            of_row[row] += reached - so_far[column_of[row]]
        for one in seen_columns:
            of_column[one] -= reached - so_far[one]
        while True:
            row = row_of[column] = before[column]
            column, column_of[row] = column_of[row], column
            if row == first:
                break
    return list(enumerate(column_of))
