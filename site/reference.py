"""Runs Doxygen over the public headers, before Sphinx reads the pages of the reference."""

import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

from comments_for_doxygen import for_doxygen
from docutils import nodes
from sphinx import addnodes
from sphinx.domains.c import CDomain
from sphinx.domains.cpp import CPPDomain
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

SITE = Path(__file__).resolve().parent
REPOSITORY = SITE.parent
HEADERS = REPOSITORY / "include" / "boxcar"
# What these declare is declared elsewhere, or not for users.
INCLUDED_BY_OTHERS = (
    "boxcar/boxcar.hpp",
    "boxcar/convey-c/convey_inl.h",
    "boxcar/openshmem-c/mpp/shmem.h",
)
FOLDER = REPOSITORY / "build" / "doxygen"


def public_headers():
    found = [*HEADERS.glob("*.hpp"), *HEADERS.glob("*-c/**/*.h")]
    return sorted(
        header
        for header in (each.relative_to(HEADERS.parent) for each in found)
        if str(header) not in INCLUDED_BY_OTHERS
    )


def run_doxygen():
    """Does nothing if the headers are those of the last run."""
    wanted = {
        header: for_doxygen((HEADERS.parent / header).read_text()) for header in public_headers()
    }
    wanted[Path("Doxyfile")] = (SITE / "Doxyfile").read_text()
    state = "".join(f"{name}\n{text}" for name, text in wanted.items())
    done = FOLDER / "done"
    if done.exists() and done.read_text() == state:
        return
    shutil.rmtree(FOLDER, ignore_errors=True)
    for name, text in wanted.items():
        file = FOLDER / ("" if name.name == "Doxyfile" else "include") / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    run = subprocess.run(["doxygen"], cwd=FOLDER, capture_output=True, text=True)
    if run.returncode != 0:
        raise ExtensionError(f"Doxygen finds fault with a header:\n{run.stdout}{run.stderr}")
    for xml in (FOLDER / "xml").glob("*.xml"):
        tidy(xml)
    done.write_text(state)


def tidy(xml):
    """Leaves out what is of no use on a page."""
    tree = ElementTree.parse(xml)
    for section in tree.iter("sectiondef"):
        for member in section.findall("memberdef"):
            # An enum may have such a name only because one without a name has no address on a page.
            is_inner = member.get("kind") != "enum" and member.findtext(
                "name", ""
            ).upper().startswith("BOXCAR_SHMEM")
            if is_inner or member.get("prot") == "private":
                section.remove(member)
    for compound in tree.iter("compounddef"):
        for inner in [*compound.findall("innernamespace"), *compound.findall("innerclass")]:
            if inner.text.endswith("detail") or inner.get("prot") == "private":
                compound.remove(inner)
        in_order(compound)
    tree.write(xml, encoding="utf-8", xml_declaration=True)


def in_order(compound):
    """Puts the groups of members in the order in which they are declared."""

    def line_of(section):
        return min(
            (int(member.find("location").get("line")) for member in section.findall("memberdef")),
            default=0,
        )

    sections = compound.findall("sectiondef")
    for place, section in zip(
        [list(compound).index(section) for section in sections], sorted(sections, key=line_of)
    ):
        compound[place] = section


class WithoutParameters:
    """A domain whose parameters the search does not find: they have no meaning by themselves."""

    def get_objects(self):
        return (found for found in super().get_objects() if not found[2].endswith("Param"))


class CppWithoutParameters(WithoutParameters, CPPDomain):
    pass


class CWithoutParameters(WithoutParameters, CDomain):
    pass


class WithoutOuterNamespace(SphinxTransform):
    """All is in the namespace boxcar: a page need not say so around everything."""

    default_priority = 100

    def apply(self):
        for described in list(self.document.findall(addnodes.desc)):
            names = described.children[0].astext().split()
            if described.get("domain") == "cpp" and names == ["namespace", "boxcar"]:
                place = nodes.container("", ids=described.children[0]["ids"])
                described.replace_self([place, *described.children[-1].children])


def setup(app):
    run_doxygen()
    app.add_domain(CppWithoutParameters, override=True)
    app.add_domain(CWithoutParameters, override=True)
    app.add_transform(WithoutOuterNamespace)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
