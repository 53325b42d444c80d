// Which names mean a database, and how messages call it: never with a user, a password or a parameter.
#pragma once

#include <string>
#include <string_view>

namespace fugu {

// postgresql://…, postgres://… or sqlite:FILE.
bool is_database(std::string_view name);
bool is_postgres(std::string_view name);

// The file of sqlite:FILE; any other name as it is.
std::string file_behind(const std::string& name);

// "postgresql://host:5432/name", "sqlite:file.db"; "postgresql://..." where a part of it may be a password.
// It is_database() too. Precondition: is_database(url).
std::string database_place(const std::string& url);

// Where passwords stand in a PostgreSQL URL (user:password@, password=, sslpassword=), overwritten in place,
// so that nobody reads them in the list of processes. Any other text is left as it is.
// Whether a message of libpq quotes a part of what stands before the URL's last @: where a password holds /
// or
// @ as they are, it is taken for a host or a port.
bool quotes_credentials(std::string_view message, std::string_view url);

// The text with what looks like the credentials of a URL left out: for messages.
std::string without_credentials(std::string text);

void hide_passwords(char* text);

}  // namespace fugu
