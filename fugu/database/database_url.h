// How messages call a database: never with a user, a password or a parameter.
#pragma once

#include <string>
#include <string_view>

#include "fugu/file/database_name.h"

namespace fugu::inline in_database {

// "postgresql://host:5432/name", "sqlite:file.db"; "postgresql://..." where a part of it may be a password,
// or where there is no libpq to read it. It is_database() too. Precondition: is_database(url).
std::string database_place(const std::string& url);

// Whether a message of libpq quotes a part of what stands before the URL's last @: where a password holds /
// or @ as they are, it is taken for a host or a port.
bool quotes_credentials(std::string_view message, std::string_view url);

// The text with what looks like the credentials of a URL left out: for messages.
std::string without_credentials(std::string text);

// Where passwords stand in a PostgreSQL URL (user:password@, password=, sslpassword=), overwritten in place,
// so that nobody reads them in the list of processes. Any other text is left as it is.
void hide_passwords(char* text);

}  // namespace fugu::inline in_database
