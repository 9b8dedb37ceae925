"""Checks a published site in several languages as programs of others read it, and prints what they found as JSON.

Arguments: an origin and the folder that is published there, for each host: `https://www.museum.test=dist/en`.

- `xmlschema` validates each sitemap against the schema of sitemaps.org and that of XHTML, which `xhtml:link` is of.
- `scrapy` follows every link and `hreflang`, by requests for the hosts that the site names. What it finds must obey the rules of
  Google Search Central, "Tell Google about localized versions of your page": a page names itself and all others, each of them names
  it back, addresses are complete, answer with 200 and are canonical, and the sitemap says the same.
- `feedparser` reads the feeds, whose entries must lead to pages in the language of the feed.
"""

import json
import mimetypes
import pathlib
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import feedparser
import scrapy
import xmlschema
from lxml import etree
from scrapy.crawler import CrawlerProcess

SCHEMA = pathlib.Path(sys.argv[1])
HOSTS = {urlsplit(origin).netloc: pathlib.Path(folder) for origin, folder in (each.split("=", 1) for each in sys.argv[2:])}
SITEMAP, XHTML = "{http://www.sitemaps.org/schemas/sitemap/0.9}", "{http://www.w3.org/1999/xhtml}"
# A language of ISO 639-1, with a script of ISO 15924 or a region of ISO 3166-1, or the page for everybody else.
HREFLANG = re.compile(r"^(x-default|[a-z]{2,3}(-[a-z]{4})?(-[a-z]{2})?)$", re.IGNORECASE)

problems = []


class Server(BaseHTTPRequestHandler):
    """Serves the folders of all hosts, as a proxy: the first line of a request names the host."""

    def do_GET(self):
        url = urlsplit(self.path)
        folder, path = HOSTS.get(url.netloc), unquote(url.path).lstrip("/")
        # A static host has the page /about in about.html or in about/index.html.
        names = [path + "index.html"] if path == "" or path.endswith("/") else [path, path + ".html", path + "/index.html"]
        found = next((folder / name for name in names if (folder / name).is_file()), None) if folder else None
        body = found.read_bytes() if found else b"not found"
        self.send_response(200 if found else 404)
        kind = mimetypes.guess_type(found.name)[0] if found else "text/plain"
        self.send_header("Content-Type", f"{kind or 'application/octet-stream'}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def is_own(url):
    return urlsplit(url).netloc in HOSTS


class Spider(scrapy.Spider):
    name = "languages"

    def __init__(self, proxy, pages, begin):
        super().__init__()
        self.proxy, self.pages, self.begin, self.seen = proxy, pages, begin, set()

    def request(self, url):
        url = urldefrag(url).url
        if not is_own(url) or url in self.seen:
            return []
        self.seen.add(url)
        plain = "http" + url[url.index(":"):]
        return [scrapy.Request(plain, self.parse, dont_filter=True, meta={"proxy": self.proxy}, cb_kwargs={"url": url})]

    async def start(self):
        for url in self.begin:
            for request in self.request(url):
                yield request

    def parse(self, response, url):
        page = {"status": response.status, "kind": response.headers.get("Content-Type", b"").decode().split(";")[0]}
        self.pages[url] = page
        if page["kind"] != "text/html" or response.status != 200:
            page["body"] = response.body
            return
        base = lambda address: urljoin(url, address)
        page["lang"] = response.xpath("/html/@lang").get("")
        page["noindex"] = bool(response.css('meta[name="robots"][content*="noindex"]'))
        page["canonical"] = response.css('link[rel="canonical"]::attr(href)').get(url)
        found = response.css('link[rel="alternate"][hreflang]')
        page["alternates"] = [(each.attrib["hreflang"], each.attrib.get("href", "")) for each in found]
        page["refresh"] = bool(response.css('meta[http-equiv="refresh"]'))
        links = [(each.attrib["href"], each.attrib.get("hreflang")) for each in response.css("a[href]")]
        page["links"] = [(urldefrag(base(href)).url, language) for href, language in links]
        feeds = response.css('link[rel="alternate"][type]:not([hreflang])::attr(href)').getall()
        page["feeds"] = [base(href) for href in feeds]
        addresses = [address for _, address in page["alternates"]] + [address for address, _ in page["links"]]
        for address in addresses + page["feeds"] + [page["canonical"]]:
            yield from self.request(address)


def primary(language):
    return language.lower().split("-")[0]


def check_sitemaps():
    """Validates all sitemaps, and returns their addresses, each with what it names."""
    schema = xmlschema.XMLSchema10(str(SCHEMA), build=False)
    own = pathlib.Path(xmlschema.__file__).parent / "schemas" / "XHTML" / "xhtml1-strict.xsd"
    schema.add_schema(str(own))
    schema.maps.build()
    listed = {}
    for host, folder in HOSTS.items():
        for path in sorted(folder.glob("sitemap*.xml")):
            for error in schema.iter_errors(str(path)):
                problems.append(f"{host}/{path.name}: {error.reason} at {error.path}")
            for url in etree.parse(str(path)).getroot().findall(f"{SITEMAP}url"):
                address = url.findtext(f"{SITEMAP}loc")
                if address in listed:
                    problems.append(f"{host}/{path.name}: {address} is there twice")
                if urlsplit(address).netloc != host:
                    problems.append(f"{host}/{path.name}: {address} is on another host")
                listed[address] = [(link.get("hreflang"), link.get("href")) for link in url.findall(f"{XHTML}link")]
    return listed


def check_alternates(where, alternates, pages):
    """Checks what pages or entries of a sitemap name as their translations."""
    for url, named in alternates.items():
        if not named:
            continue
        page = pages[url]
        languages = [language.lower() for language, _ in named]
        for language in {each for each in languages if languages.count(each) > 1}:
            problems.append(f"{where} {url}: {language} is there twice")
        if url not in [address for language, address in named if language != "x-default"]:
            problems.append(f"{where} {url}: does not name itself")
        for language, address in named:
            target = pages.get(address)
            if not HREFLANG.match(language):
                problems.append(f"{where} {url}: {language} is no language")
            if not urlsplit(address).scheme or target is None or target["status"] != 200 or target["kind"] != "text/html":
                problems.append(f"{where} {url}: {address} is no page")
            elif target["noindex"] or target["canonical"] != address or target["refresh"]:
                problems.append(f"{where} {url}: {address} is not to be indexed")
            elif language != "x-default" and target["lang"].lower() != language.lower():
                problems.append(f"{where} {url}: {address} is in {target['lang']}, not in {language}")
            elif sorted(alternates.get(address, [])) != sorted(named):
                problems.append(f"{where} {url}: {address} does not name the same pages")
        if page["noindex"] or page["canonical"] != url:
            problems.append(f"{where} {url}: is not to be indexed, and names translations")


def check_links(pages):
    """Checks that links lead to pages in the language of their page, or in the one that they name."""
    for url, page in pages.items():
        for address, language in page.get("links", []):
            target = pages.get(address)
            if not is_own(address):
                continue
            if target is None or target["status"] != 200:
                problems.append(f"{url}: the link {address} leads nowhere")
            elif target["kind"] == "text/html" and not page["refresh"]:
                expected = language or page["lang"]
                if primary(target["lang"]) != primary(expected):
                    problems.append(f"{url}: the link {address} leads to {target['lang']}, not to {expected}")


def check_feeds(pages):
    """Reads the feeds, and returns the number of their entries."""
    of = {}
    for page in pages.values():
        addresses = page.get("feeds", []) + [address for address, _ in page.get("links", [])]
        for address in addresses:
            if pages.get(address, {}).get("kind") in ("application/xml", "text/xml", "application/rss+xml", "application/atom+xml"):
                of.setdefault(address, set()).add(page["lang"])
    count = 0
    for address, languages in of.items():
        feed = feedparser.parse(pages[address]["body"])
        if not feed.version:
            continue
        language = feed.feed.get("language")
        if feed.bozo:
            problems.append(f"{address}: {feed.bozo_exception}")
        if languages != {language}:
            problems.append(f"{address}: is in {language}, and pages in {sorted(languages)} lead to it")
        if len({entry.get("id") for entry in feed.entries}) != len(feed.entries):
            problems.append(f"{address}: entries have the same id")
        for entry in feed.entries:
            count += 1
            target = pages.get(entry.get("link"))
            if target is None or target["status"] != 200 or target["lang"] != language:
                problems.append(f"{address}: {entry.get('link')} is no page in {language}")
            if not entry.get("title") or not entry.get("published_parsed") and not entry.get("updated_parsed"):
                problems.append(f"{address}: {entry.get('link')} has no title or no date")
    return len(of), count


def main():
    listed = check_sitemaps()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    pages = {}
    begin = [f"https://{host}/" for host in HOSTS] + list(listed)
    begin += [address for named in listed.values() for _, address in named]
    settings = {
        "CONCURRENT_REQUESTS": 8, "CONCURRENT_REQUESTS_PER_DOMAIN": 8, "DOWNLOAD_DELAY": 0, "HTTPERROR_ALLOW_ALL": True,
        "LOG_LEVEL": "ERROR", "METAREFRESH_ENABLED": False, "REDIRECT_ENABLED": False, "RETRY_ENABLED": False,
        "ROBOTSTXT_OBEY": False, "TELNETCONSOLE_ENABLED": False,
    }
    process = CrawlerProcess(settings)
    process.crawl(Spider, proxy=f"http://127.0.0.1:{server.server_port}", pages=pages, begin=begin)
    process.start()
    html = {url: page for url, page in pages.items() if "lang" in page}
    check_alternates("page", {url: page["alternates"] for url, page in html.items()}, pages)
    for url in [url for url in listed if "lang" not in pages.get(url, {})]:
        problems.append(f"sitemap: {url} is no page")
        del listed[url]
    check_alternates("sitemap", listed, pages)
    for url, page in html.items():
        is_indexed = not page["noindex"] and page["canonical"] == url and not page["refresh"]
        if is_indexed != (url in listed):
            problems.append(f"{url}: {'is not in' if is_indexed else 'is in'} the sitemap")
        elif is_indexed and sorted(page["alternates"]) != sorted(listed[url]):
            problems.append(f"{url}: names other pages than the sitemap")
    check_links(pages)
    feeds, entries = check_feeds(pages)
    languages = {}
    for page in html.values():
        languages[page["lang"]] = languages.get(page["lang"], 0) + 1
    alternates = sum(len(page["alternates"]) for page in html.values())
    found = {"problems": sorted(set(problems)), "pages": languages, "listed": len(listed), "alternates": alternates}
    print(json.dumps({**found, "feeds": feeds, "entries": entries}, ensure_ascii=False))


main()
