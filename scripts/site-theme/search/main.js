// The search, in the page itself: neither a worker nor a request, so that it also works from a folder. scripts/site writes the index.
function load(name) {
  return new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = `${base_url}/search/${name}`;
    script.onload = done;
    script.onerror = failed;
    document.head.append(script);
  });
}

function article(page, words) {
  const found = words.map((word) => page.text.toLowerCase().indexOf(word)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...found, page.text.length) - 60);
  const shown = document.createElement("article");
  const link = document.createElement("a");
  link.href = `${base_url}/${page.location}`;
  link.textContent = page.title;
  shown.appendChild(document.createElement("h3")).append(link);
  shown.appendChild(document.createElement("p")).textContent = (start > 0 ? "…" : "") + page.text.slice(start, start + 240);
  return shown;
}

async function search(place, query) {
  await load("lunr.js");
  await load("index.js");
  const index = lunr.Index.load(fugu_index.index);
  const pages = new Map(fugu_index.docs.map((page) => [page.location, page]));
  const words = query.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter((word) => word);
  // Every word, and what begins with it; what is a word of the query itself comes first.
  const found = index.query((asked) => {
    for (const word of words) {
      asked.term(lunr.tokenizer(word), { boost: 10 });
      asked.term(word, { wildcard: lunr.Query.wildcard.TRAILING, usePipeline: false });
    }
  });
  place.replaceChildren(...found.slice(0, 30).map(({ ref }) => article(pages.get(ref), words)));
  if (found.length === 0) place.textContent = "No page has these words.";
}

const query = new URLSearchParams(window.location.search).get("q");
const place = document.getElementById("mkdocs-search-results");
if (query && place) {
  for (const field of document.querySelectorAll("input[name=q]")) field.value = query;
  search(place, query);
}
