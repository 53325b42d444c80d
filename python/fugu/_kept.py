"""Arrow columns that are carried along beside the released ones.

A plan covers what the texts of its given columns tell, and no more: how a field was represented may go with the secret. So a
column of `keep` is built anew from its values, of which each text has one: a zero has no sign, a dictionary lists each value
of the rows that are written once, and nothing lies in its buffers that no row shows. What is missing is a null, however it was
written.

A column of `keep_unprotected` keeps its values, and is written anew as well: buffers hold rows that were cut off or left out, and
the order of a table that was shuffled since.
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


def unprotected_part(column: Any, stays: Any) -> Any:
    """A chunked column as it is, less the rows that do not stay, and nothing that no row of it shows."""
    import pyarrow as pa
    import pyarrow.compute as compute  # type: ignore[import-untyped]

    rows = taken(column, None if stays is None else compute.indices_nonzero(_flags(stays)))
    if not pa.types.is_dictionary(column.type):
        return rows
    return pa.chunked_array([_dictionary(_in_one(_decoded(rows)).dictionary_encode(), column.type, _listed(column))])


def in_one_chunk(column: Any) -> Any:
    """Where chunks begin may go with the secret, as where the tables of several groups were put together."""
    import pyarrow as pa

    return pa.table([column], names=["column"]).combine_chunks().column(0)


def taken(column: Any, places: Any = None) -> Any:
    """The rows of a chunked column at these places, all where None, in buffers of their own: in the order of the rows, with nothing
    below a null. A dictionary stays what it is."""
    import pyarrow as pa
    import pyarrow.compute as compute

    kind = column.type
    values = _in_one(_with_kernels(column))
    if places is None:
        places = pa.array(range(len(values)), pa.int64())
    if _has_parts(kind):
        rows = values.to_pylist()
        return pa.chunked_array([pa.array([rows[place] for place in places.to_pylist()], kind)])
    # What a place that is null takes is zero, and what a null takes is whatever lies below it.
    values = values.take(compute.if_else(values.is_valid().take(places), places, pa.scalar(None, places.type)))
    if values.type == kind:
        return pa.chunked_array([values])
    return pa.chunked_array([values.slice(row, _ROWS).cast(kind) for row in range(0, len(values), _ROWS)], kind)


def _has_parts(kind: Any) -> bool:
    """Whether a row of this type holds others, with nulls and buffers of their own."""
    import pyarrow as pa

    if isinstance(kind, pa.BaseExtensionType):
        return _has_parts(kind.storage_type)
    return bool(pa.types.is_nested(kind) or pa.types.is_run_end_encoded(kind))


def _shown(column: Any, hidden: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as compute

    if hidden is None:
        return column
    return compute.if_else(pa.chunked_array([_flags(hidden)]), pa.scalar(None, column.type), column)


def _staying(column: Any, stays: Any) -> Any:
    return column if stays is None else column.filter(_flags(stays))


def _flags(rows: Any) -> Any:
    import pyarrow as pa

    return rows if isinstance(rows, pa.Array) else pa.array(rows, pa.bool_())


def _in_one(column: Any) -> Any:
    import pyarrow as pa

    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def _with_kernels(values: Any) -> Any:
    """Texts, and bytes, in the layout that pyarrow can do everything with, and that takes any number of them."""
    import pyarrow as pa

    texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    if any(is_text(values.type) for is_text in texts):
        return values.cast(pa.large_string())
    of_bytes = pa.types.is_binary(values.type) or pa.types.is_binary_view(values.type)
    return values.cast(pa.large_binary()) if of_bytes else values


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
    codes = places.take(encoded.indices).cast(pa.int32())  # their width told how many texts the column had
    return pa.DictionaryArray.from_arrays(codes, values.cast(kind.value_type), ordered=kind.ordered)
