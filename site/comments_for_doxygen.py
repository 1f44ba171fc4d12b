"""Headers with their plain comments in the form that Doxygen reads.

The headers have ordinary comments, `//` in C++ and `/* */` in C. Those that belong to something
become documentation:

- the comment at the beginning tells about the file;
- a comment directly above a declaration tells about that;
- a comment behind a declaration, on the same line and on those below at the same column, does so,
  too;
- `// --- Title ---` begins a group of members, up to the next title or the end of the scope.

Left out are the namespace detail, what lies below a title that says "not for programs", and what
lies below a comment "The functions are for higher layers of the library.", up to an empty line.

Comments in the bodies of functions stay what they are. Attributes are removed: Sphinx knows few.
"""

import re

TITLE = re.compile(r"---+ (.*?) *-*$")
OPENS_SCOPE = re.compile(
    r"^(typedef |inline |template\b.*|requires\b.*)?\s*"
    r'((class|struct|union|enum|namespace)\b|extern "C")',
    re.S,
)
# What begins something that is not for users: the inner namespace, and functions of its classes.
INNER = re.compile(r"\s*namespace detail {|inline [^(]*\bdetail::\w+::\w+\(.*{$")
ATTRIBUTES = re.compile(r"\[\[(?!\]).*?\]\]\s?")


# Families of functions that macros define, of which one stands for all, as in the specification of
# OpenSHMEM.
FAMILIES = {
    "BOXCAR_SHMEM_DECLARE_MOVES": ("SIZE", "void"),
    "BOXCAR_SHMEM_DECLARE_RMA": ("", "TYPENAME", "TYPE"),
    "BOXCAR_SHMEM_DECLARE_EXTENDED": ("", "TYPENAME", "TYPE"),
    "BOXCAR_SHMEM_DECLARE_AMO": ("", "TYPENAME", "TYPE"),
    "BOXCAR_SHMEM_DECLARE_UPDATE": ("_OP", "TYPENAME", "TYPE"),
    "BOXCAR_SHMEM_DECLARE_WAIT": ("", "TYPENAME", "TYPE"),
    "BOXCAR_SHMEM_DECLARE_SIGNALS": ("TYPENAME_put", "", "TYPE"),
    "BOXCAR_SHMEM_DECLARE_COLLECTIVES": ("TYPENAME_", "TYPE"),
    "BOXCAR_SHMEM_DECLARE_REDUCE": ("_OP", "TYPENAME", "TYPE"),
    "BOXCAR_SHMEM_DECLARE_ACTIVE_SETS": ("SIZE",),
    "BOXCAR_SHMEM_DECLARE_TO_ALL": ("_OP", "TYPENAME", "TYPE"),
    "BOXCAR_SHMEM_DECLARE_OLD_AMO": ("", "TYPENAME", "TYPE"),
    "BOXCAR_SHMEM_DECLARE_OLD_EXTENDED": ("", "TYPENAME", "TYPE"),
    "BOXCAR_SHMEM_DECLARE_OLD_WAIT": ("", "TYPENAME", "TYPE"),
    "BOXCAR_SHMEMX_SIZED": ("SIZE", "SIZE / 8"),
    "BOXCAR_SHMEMX_TYPED": ("TYPENAME", "TYPE"),
}
DEFINITION = re.compile(r"#define (BOXCAR_SHMEM\w+)\((.*)\)((?:.*\\\n)*.*\n)")
WITHOUT_MEANING = re.compile(
    r"(/\*.*clang-format o.*\*/|.*//.*NOLINT.*|#undef .*|(#define )?BOXCAR_SHMEM_(BEGIN|END).*"
    r"|BOXCAR_SHMEM\w+\(.*\))\n"
)


def with_families(text):
    def functions_of(match):
        name, parameters, body = match.groups()
        if name not in FAMILIES:
            return ""
        values = dict(zip(parameters.split(", "), FAMILIES[name]))
        parameter = rf"(?:##)?\b({'|'.join(values)})\b(?:##)?"
        body = re.sub(parameter, lambda found: values[found[1]], body.replace("\\\n", "\n"))
        return body.lstrip() + "\n"

    return re.sub(rf"(?m)^{WITHOUT_MEANING.pattern}", "", DEFINITION.sub(functions_of, text))


class Line:
    """A line of a header: what is code in it, and the comment behind that, if there is one."""

    def __init__(self, code, comment=None, column=0, begins=False, ends=False):
        self.code = code
        self.comment = comment  # its text, without the signs that make it a comment
        self.column = column
        self.begins = begins  # a comment of C, which may be longer than this line
        self.ends = ends

    @property
    def is_comment(self):
        return self.comment is not None and not self.code.strip()


def lines_of(text):
    """Cuts the text into lines. The comments of C become lines with a comment each."""
    text = with_families(text)
    lines = []
    in_comment = False
    for raw in text.split("\n"):
        if in_comment:
            end = raw.find("*/")
            body = raw if end < 0 else raw[:end]
            body = re.sub(r"^\s*\* ?", "", body)
            if end < 0 or body.strip():
                lines.append(Line("", body.rstrip(), lines[-1].column))
            in_comment = end < 0
            lines[-1].ends = not in_comment
            continue
        start = start_of_comment(raw)
        if start < 0:
            lines.append(Line(raw))
        elif raw[start : start + 2] == "//":
            lines.append(Line(raw[:start], re.sub(r"^// ?", "", raw[start:]), start))
        else:
            end = raw.find("*/", start + 2)
            if end >= 0 and raw[end + 2 :].strip() not in ("", "\\"):
                lines.append(Line(raw))  # between two pieces of code, as /*name*/
                continue
            body = raw[start + 2 :] if end < 0 else raw[start + 2 : end]
            lines.append(Line(raw[:start], body.strip(), start, True, end >= 0))
            in_comment = end < 0
    return lines


def start_of_comment(raw):
    quote = None
    i = 0
    while i < len(raw):
        c = raw[i]
        if quote:
            if c == "\\":
                i += 1
            elif c == quote:
                quote = None
        elif c == '"' or (c == "'" and not (i and raw[i - 1].isalnum())):
            quote = c
        elif raw.startswith(("//", "/*"), i):
            return i
        i += 1
    return -1


class Scopes:
    """In which braces a line lies."""

    def __init__(self):
        self.kinds = []  # of each open brace: does it hold declarations?
        self.pending = ""

    @property
    def holds_declarations(self):
        return all(self.kinds)

    def read(self, code):
        if code.lstrip().startswith("#"):
            return
        for c in (
            re.sub(r'"(\\.|[^"\\])*"', lambda m: m.group() if m.group() == '"C"' else '""', code)
            + "\n"
        ):
            if c == "{":
                self.kinds.append(bool(OPENS_SCOPE.match(self.pending.strip())))
                self.pending = ""
            elif c == "}":
                if self.kinds:
                    self.kinds.pop()
                self.pending = ""
            elif c == ";":
                self.pending = ""
            elif c == ":" and self.pending.strip() in ("public", "private", "protected"):
                self.pending = ""
            else:
                self.pending += c


def as_markdown(texts):
    """The text of a comment as Doxygen's Markdown: what is indented is shown as it is."""
    shown = False
    in_list = False
    for text in texts:
        if re.match(r"\s*(-|\d+\.) ", text):
            in_list = True
        elif text.strip() and not text.startswith(" "):
            in_list = False
        indented = text.startswith("  ") and not in_list
        if indented and not shown:
            yield "@verbatim"
            shown = True
        elif shown and not indented and text.strip():
            yield "@endverbatim"
            shown = False
        yield text if shown else escaped(text)
    if shown:
        yield "@endverbatim"


def escaped(text):
    """Signs that mean something to Doxygen, outside of `code`; and pages become links to them."""
    parts = re.split(r"(`[^`]*`)", text)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"([\\@<>#%])", r"\\\1", parts[i])
        parts[i] = re.sub(r"(?<!\w)\*(?=\w)", r"\\*", parts[i])
    return re.sub(r"\bdocs/([\w-]+)\.md\b", r"[docs/\1.md](../\1.html)", "".join(parts))


def can_have_comment_behind(line):
    code = line.code
    return (
        is_declaration(line)
        and code.count("(") == code.count(")")
        and not code.rstrip().endswith("{")
    )


def is_declaration(line):
    code = line.code.strip()
    return bool(code) and not code.startswith(
        ("}", "#if", "#end", "#el", "#inc", "public:", "private:", "protected:")
    )


class Writer:
    def __init__(self, text):
        self.lines = lines_of(text)
        self.scopes = Scopes()
        self.out = []
        self.groups = []  # how many braces were open at the title of each open group
        self.left_out = False
        self.inner_depth = None  # how many braces are open around the namespace detail
        self.for_higher_layers = False

    def written(self):
        i = self.write_file_comment()
        while i < len(self.lines):
            line = self.lines[i]
            if line.is_comment and self.scopes.holds_declarations:
                i = self.write_block(i)
            elif (
                line.comment is not None
                and self.scopes.holds_declarations
                and can_have_comment_behind(line)
            ):
                i = self.write_with_comment_behind(i)
            else:
                self.write_code(line.code)
                i += 1
        self.end_groups(0)
        self.end_left_out()
        return "\n".join(self.out)

    def write_file_comment(self):
        end = self.end_of_block(0)
        if end:
            self.out.append("/// @file")
            self.write_documentation(line.comment for line in self.lines[:end])
        return end

    def end_of_block(self, i):
        first = i
        while (
            i < len(self.lines)
            and self.lines[i].is_comment
            and not (i > first and self.lines[i].begins)
        ):
            i += 1
        return i

    def write_documentation(self, texts, sign="///"):
        self.out += [f"{sign} {text}".rstrip() for text in as_markdown(texts)]

    def write_block(self, i):
        end = self.end_of_block(i)
        texts = [line.comment for line in self.lines[i:end]]
        title = TITLE.match(texts[0])
        above_declaration = end < len(self.lines) and is_declaration(self.lines[end])
        if title:
            texts = texts[1:]
            if above_declaration and not self.lines[i].begins and "" not in texts:
                self.begin_group(title.group(1), [])
                self.write_documentation(texts)
                return end
            if not texts:
                texts, end = self.text_of_its_own(end)
            self.begin_group(title.group(1), texts)
        elif texts == ["The functions are for higher layers of the library."]:
            self.out.append("/// @cond")
            self.for_higher_layers = True
        elif above_declaration:
            self.write_documentation(texts)
        return end

    def text_of_its_own(self, i):
        """A comment that belongs to no declaration, and where it ends."""
        start = i
        while (
            start < len(self.lines)
            and self.lines[start].comment is None
            and not self.lines[start].code.strip()
        ):
            start += 1
        end = self.end_of_block(start)
        if (
            end == start
            or end == len(self.lines)
            or self.lines[end].code.strip()
            or self.lines[end].comment is not None
        ):
            return [], i
        texts = [line.comment for line in self.lines[start:end]]
        return ([], i) if TITLE.match(texts[0]) else (texts, end)

    def begin_group(self, title, texts):
        self.end_groups(len(self.scopes.kinds))
        self.end_left_out()
        if "not for programs" in title:
            self.out.append("/// @cond")
            self.left_out = True
            return
        self.out.append(f"/// @name {title[0].upper() + title[1:]}")
        self.write_documentation(texts)
        self.out.append("/// @{")
        self.out.append("")
        self.groups.append(len(self.scopes.kinds))

    def end_left_out(self):
        if self.left_out:
            self.out.append("/// @endcond")
            self.left_out = False

    def end_groups(self, depth):
        while self.groups and self.groups[-1] >= depth:
            self.out.append("/// @}")
            self.groups.pop()

    def write_with_comment_behind(self, i):
        line = self.lines[i]
        end = i + 1
        while (
            end < len(self.lines)
            and self.lines[end].is_comment
            and self.lines[end].column == line.column
        ):
            end += 1
        self.write_code(line.code)
        self.write_documentation((each.comment for each in self.lines[i:end]), "///<")
        return end

    def write_code(self, code):
        if re.match(r"\s*friend [\w:]+;", code):
            return
        code = ATTRIBUTES.sub("", code).rstrip()
        if not code and self.for_higher_layers:
            self.out.append("/// @endcond")
            self.for_higher_layers = False
        if code.strip().startswith("}"):
            self.end_groups(len(self.scopes.kinds))
        depth = len(self.scopes.kinds)
        if self.inner_depth is None and INNER.match(code):
            self.out.append("/// @cond")
            self.inner_depth = depth
        self.scopes.read(code)
        self.out.append(code)
        if self.inner_depth is not None and len(self.scopes.kinds) == self.inner_depth:
            self.out.append("/// @endcond")
            self.inner_depth = None


def for_doxygen(text):
    """The text of a header, for Doxygen."""
    return Writer(text).written()
