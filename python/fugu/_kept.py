"""Arrow columns that are carried along beside the released ones.

A plan covers what the texts of its given columns tell, and no more: how a field was represented may go with the secret. So a
column of `keep` is built anew from its values, of which each text has one: a zero has no sign, a dictionary lists each value
of the rows that are written once, and nothing lies in its buffers that no row shows. What is missing is a null, however it was
written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_ROWS = 1 << 20  # of a chunk of texts, so that any fits into its type


def written_anew(column: Any, stays: Any, na: Sequence[str] = (), hidden: Any = None) -> Any:
    """A chunked column, less the rows that do not stay, built of its values alone; texts that mean missing, of `na` or empty,
    are nulls, and so are the rows that are hidden."""
    import pyarrow as pa  # type: ignore[import-untyped]

    kind = column.type
    values = _without_missing(_in_one(_staying(_shown(_decoded(column), hidden), stays)), na)
    if pa.types.is_floating(values.type):
        values = _without_signs_of_zeros(values)
    encoded = values.dictionary_encode()
    if pa.types.is_dictionary(kind):
        return pa.chunked_array([_dictionary(encoded, kind, _listed(column))])
    again = encoded.dictionary_decode()
    parts = [again.slice(row, _ROWS).cast(kind) for row in range(0, len(again), _ROWS)]
    return pa.chunked_array(parts, kind)


def without_unused(column: Any, stays: Any) -> Any:
    """A chunked column, less the rows that do not stay; a dictionary without what only those had."""
    import pyarrow as pa
    import pyarrow.compute as compute  # type: ignore[import-untyped]

    kind = column.type
    if not pa.types.is_dictionary(kind):
        return column if stays is None else _staying(_with_kernels(column), stays).cast(kind)
    array = _in_one(_staying(column, stays))
    used = compute.unique(array.indices).drop_null()
    used = used.take(compute.sort_indices(used))
    codes = compute.index_in(array.indices, value_set=used, skip_nulls=True).cast(kind.index_type)
    values = _with_kernels(array.dictionary).take(used).cast(kind.value_type)
    return pa.chunked_array([pa.DictionaryArray.from_arrays(codes, values, ordered=kind.ordered)])


def in_one_chunk(column: Any) -> Any:
    """Where chunks begin may go with the secret, as where the tables of several groups were put together."""
    import pyarrow as pa

    return pa.table([column], names=["column"]).combine_chunks().column(0)


def taken(column: Any, places: Any) -> Any:
    """The rows of a chunked column at these places."""
    import pyarrow as pa

    kind = column.type
    values = _in_one(_with_kernels(column)).take(places)
    if values.type == kind:
        return pa.chunked_array([values])
    return pa.chunked_array([values.slice(row, _ROWS).cast(kind) for row in range(0, len(values), _ROWS)], kind)


def _shown(column: Any, hidden: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as compute

    if hidden is None:
        return column
    flags = hidden if isinstance(hidden, pa.Array) else pa.array(hidden)
    return compute.if_else(pa.chunked_array([flags]), pa.scalar(None, column.type), column)


def _staying(column: Any, stays: Any) -> Any:
    import pyarrow as pa

    return column if stays is None else column.filter(stays if isinstance(stays, pa.Array) else pa.array(stays))


def _in_one(column: Any) -> Any:
    import pyarrow as pa

    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def _with_kernels(values: Any) -> Any:
    """Texts in the layout that pyarrow can do everything with, and that takes any number of them."""
    import pyarrow as pa

    texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return values.cast(pa.large_string()) if any(is_text(values.type) for is_text in texts) else values


def _decoded(column: Any) -> Any:
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        return _with_kernels(column)
    chunks = [_with_kernels(chunk.dictionary).take(chunk.indices) for chunk in column.chunks]
    return pa.chunked_array(chunks, None if chunks else _with_kernels(pa.array([], column.type.value_type)).type)


def _without_missing(values: Any, na: Sequence[str]) -> Any:
    import pyarrow as pa
    import pyarrow.compute as compute

    if not pa.types.is_large_string(values.type):
        return values
    missing = compute.is_in(values, value_set=pa.array(["", *na], values.type))
    return compute.if_else(missing, pa.scalar(None, values.type), values)


def _without_signs_of_zeros(values: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as compute

    return compute.add(values, pa.scalar(0, values.type))


def _listed(column: Any) -> Any:
    """What the dictionaries of a column list, in their order."""
    import pyarrow as pa

    lists = [_with_kernels(chunk.dictionary) for chunk in column.chunks]
    return pa.concat_arrays(lists) if lists else _with_kernels(pa.array([], column.type.value_type))


def _dictionary(encoded: Any, kind: Any, listed: Any) -> Any:
    """Its values in their own order, or in that of the type's owner where the dictionary is an ordered one."""
    import pyarrow as pa
    import pyarrow.compute as compute

    if kind.ordered:
        if pa.types.is_floating(listed.type):
            listed = _without_signs_of_zeros(listed)
        listed = compute.unique(listed)
        values = listed.filter(compute.is_in(listed, value_set=encoded.dictionary))
    else:
        values = encoded.dictionary.take(compute.sort_indices(encoded.dictionary))
    places = compute.index_in(encoded.dictionary, value_set=values)
    codes = places.take(encoded.indices).cast(kind.index_type)
    return pa.DictionaryArray.from_arrays(codes, values.cast(kind.value_type), ordered=kind.ordered)
