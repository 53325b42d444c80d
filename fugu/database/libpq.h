// libpq, loaded when a postgresql:// name is first used. It brings Kerberos, LDAP and TLS along: a program
// that reads files only runs without any of it.
#pragma once

#include <libpq-fe.h>

// The functions of libpq that are used.
#define FUGU_LIBPQ_FUNCTIONS(USE) \
  USE(PQbackendPID)               \
  USE(PQcancel)                   \
  USE(PQclear)                    \
  USE(PQconnectdbParams)          \
  USE(PQconninfoFree)             \
  USE(PQconninfoParse)            \
  USE(PQconsumeInput)             \
  USE(PQerrorMessage)             \
  USE(PQfinish)                   \
  USE(PQflush)                    \
  USE(PQfmod)                     \
  USE(PQfname)                    \
  USE(PQfreeCancel)               \
  USE(PQfreemem)                  \
  USE(PQftype)                    \
  USE(PQgetCancel)                \
  USE(PQgetCopyData)              \
  USE(PQgetResult)                \
  USE(PQgetlength)                \
  USE(PQgetvalue)                 \
  USE(PQisBusy)                   \
  USE(PQnfields)                  \
  USE(PQntuples)                  \
  USE(PQpass)                     \
  USE(PQputCopyData)              \
  USE(PQputCopyEnd)               \
  USE(PQresultErrorField)         \
  USE(PQresultStatus)             \
  USE(PQsendDescribePrepared)     \
  USE(PQsendPrepare)              \
  USE(PQsendQuery)                \
  USE(PQsendQueryParams)          \
  USE(PQserverVersion)            \
  USE(PQsetNoticeProcessor)       \
  USE(PQsetnonblocking)           \
  USE(PQsocket)                   \
  USE(PQstatus)                   \
  USE(PQtransactionStatus)

namespace fugu::inline in_database {

struct Libpq {
#define FUGU_LIBPQ_MEMBER(name) decltype(&::name) name;
  FUGU_LIBPQ_FUNCTIONS(FUGU_LIBPQ_MEMBER)
#undef FUGU_LIBPQ_MEMBER
};

// The library, loaded by the first call and kept; nullptr where the machine has none.
const Libpq* find_libpq();
// The same; Error (io) where the machine has none.
const Libpq& libpq();

}  // namespace fugu::inline in_database
