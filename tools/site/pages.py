"""A hook of MkDocs: which files are the site's, and what their Markdown means there.

The site has the paths of the repository, so links between pages need no change. Links to other files lead to the repository, at the
commit that the site is built from, or to the checkout where it has no address.
"""

import os
import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).parents[2]
FILES = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "test/README.md",
    "test/Conformance/README.md",
    "tools/*/README.md",
    "docs/**/*.md",
    "docs/generated/*.svg",
    "docs/web/*",
    "tools/site/style.css",
]
# The pages that `cargo xtask web` writes from those in docs/web.
WRITTEN = ["docs/web/layouts.html", "docs/web/playground.html"]
LINK = re.compile(r"\]\(([^)\s#:]+)(#[^)\s]*)?\)")
FENCE = re.compile(r"^(\s*```\w+)(?: (?:file|from)=(\S+))?.*$", re.MULTILINE)


def on_files(files, config):
    """The pages are all over the repository, not only in one folder."""
    for file in files.documentation_pages() + files.media_files():
        if file.src_dir == config.docs_dir:
            files.remove(file)
    for path in sorted(path for pattern in FILES for path in ROOT.glob(pattern)):
        name = path.relative_to(ROOT).as_posix()
        written = Path(os.environ["WEB_PAGES"]) / path.name if name in WRITTEN and "WEB_PAGES" in os.environ else path
        files.append(File.generated(config, name, abs_src_path=str(written)))
    return files


def on_page_markdown(markdown, page, config, files):
    """Links to files that are no pages, and fences, whose attributes only the tests read; the file of one is its title."""
    source = f"{config.repo_url}/blob/{os.environ.get('GITHUB_SHA', 'main')}" if config.repo_url else ROOT.as_uri()

    def link(found):
        path = os.path.normpath(os.path.join(os.path.dirname(page.file.src_uri), found[1]))
        if files.get_file_from_path(path) or not (ROOT / path).exists():
            return found[0]
        return f"]({source}/{path}{found[2] or ''})"

    def fence(found):
        return f'{found[1]} title="{found[2]}"' if found[2] else found[1]

    return FENCE.sub(fence, LINK.sub(link, markdown))
