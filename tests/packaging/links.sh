#!/bin/sh
# Every relative link in the documentation leads to a file, and to a heading in it if it names one.
# links.sh SOURCE_DIRECTORY
set -eu
cd "$1"

without_code() { # FILE
    awk '/^```/ { code = !code } !code' "$1"
}

links_of() { # FILE
    without_code "$1" | grep -o ']([^)]*)' | sed 's/^](//; s/)$//' | grep -v '^http'
}

anchors_of() { # FILE: its headings, as links name them
    without_code "$1" | sed -n 's/^##* //p' | tr '[:upper:]' '[:lower:]' |
        sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

broken_links() {
    for page in *.md docs/*.md docs/*/*.md; do
        links_of "$page" | while read -r link; do
            path=${link%%#*}
            anchor=${link#"$path"}
            file=$page
            [ -z "$path" ] || file=$(dirname "$page")/$path
            if [ ! -e "$file" ]; then
                echo "$page: the link to $link leads to no file"
            elif [ -n "$anchor" ] && ! anchors_of "$file" | grep -qx "${anchor#\#}"; then
                echo "$page: the link to $link leads to no heading"
            fi
        done
    done
}

broken=$(broken_links)
echo "$broken"
[ -z "$broken" ]
