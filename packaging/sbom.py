"""The bill of materials, as SPDX 2.3 in JSON: what the static program holds, what it loads, what bundled and tests its pages.

Usage: sbom.py BUILD VERSION FILE.spdx.json TARBALL, with SOURCE_DATE_EPOCH set.
"""

import datetime
import hashlib
import json
import os
import pathlib
import re
import sys
import uuid

from parts import page_packages, part, parts_of

ROOT = pathlib.Path(__file__).resolve().parent.parent
FUGU = "SPDXRef-fugu"


def reference(kind, name):
    return f"SPDXRef-{kind}-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(identity, name, version, licence, purl=None, **more):
    entry = {"SPDXID": identity, "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
             "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION", **more}
    if purl:
        entry["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]
    return entry


def debian_entry(one):
    version = one.version.replace("+", "%2B").replace(":", "%3A")
    return package(reference("deb", one.source), one.source, one.version, one.licence,
                   f"pkg:deb/debian/{one.source}@{version}?arch=source",
                   licenseComments=f"Debian's package {one.package} states it in /usr/share/doc/{one.package}/copyright.")


def relation(subject, kind, thing):
    return {"spdxElementId": subject, "relationshipType": kind, "relatedSpdxElement": thing}


def document(build, version, tarball):
    digest = hashlib.sha256(tarball.read_bytes()).hexdigest()
    when = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    packages = [package(FUGU, "fugu", version, "Apache-2.0", packageFileName=tarball.name, primaryPackagePurpose="APPLICATION",
                        checksums=[{"algorithm": "SHA256", "checksumValue": digest}])]
    relations = [relation("SPDXRef-DOCUMENT", "DESCRIBES", FUGU)]

    def add(entry, subject, kind, thing):
        packages.append(entry)
        relations.append(relation(subject, kind, thing))

    for one in parts_of(build):
        name = reference("deb", one.source)
        if one.source.startswith("postgresql"):
            add(debian_entry(part("libpq5", False)), name, "OPTIONAL_DEPENDENCY_OF", FUGU)
        else:
            add(debian_entry(one), FUGU, "STATIC_LINK" if one.linked else "CONTAINS", name)
    relations.append(relation(FUGU, "DYNAMIC_LINK", reference("deb", "glibc")))
    bundler = part("esbuild", False)
    add(debian_entry(bundler), reference("deb", bundler.source), "BUILD_TOOL_OF", FUGU)
    for name, release, licence, inside in page_packages(ROOT):
        thing = reference("npm", name)
        entry = package(thing, name, release, licence, f"pkg:npm/{name.replace('@', '%40')}@{release}")
        if inside:
            add(entry, FUGU, "CONTAINS", thing)
        else:
            add(entry, thing, "DEV_TOOL_OF", FUGU)
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"fugu-{version}",
            "documentNamespace": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, digest)}",
            "creationInfo": {"created": when.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: fugu-make-dist"]},
            "packages": packages, "relationships": relations}


def main(build, version, out, tarball):
    text = json.dumps(document(build, version, pathlib.Path(tarball)), indent=1)
    pathlib.Path(out).write_text(text + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
