import { renderMarkdown } from "./render-markdown";

const render = (text: string) => renderMarkdown(text, (target) => (target.startsWith("#") ? target : undefined));

describe("a guide as a page", () => {
  it("has headings to link to, paragraphs, lists, tables and code", () => {
    const { html, title, sections } = render(
      "# Guide: *A*\n\nOne\ntwo `a*b*`.\n\n## Do it!\n\n- one\n  more\n- two\n\n1. first\n\n| A | B |\n| --- | --- |\n| `x` | a \\| b |\n\n```bash\nif a < b\n```\n",
    );

    expect(title).toBe("Guide: A");
    expect(html).toBe(
      [
        '<h1 id="guide-a">Guide: *A*</h1>',
        "<p>One two <code>a*b*</code>.</p>",
        '<h2 id="do-it">Do it!</h2>',
        "<ul><li>one more</li><li>two</li></ul>",
        "<ol><li>first</li></ol>",
        "<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td><code>x</code></td><td>a | b</td></tr></tbody></table>",
        "<pre><code>if a &#60; b</code></pre>",
      ].join("\n"),
    );
    expect(sections).toEqual([
      { id: "guide-a", title: "Guide: A", text: "One two ab." },
      { id: "do-it", title: "Do it!", text: expect.stringContaining("one more") },
    ]);
  });

  it("lets no text become markup, and keeps only links that lead somewhere", () => {
    const { html } = render('<script>"x"</script> [here](#do-it) [there](../secret.md) [bad](#"onclick=x) **bold**');

    expect(html).toBe(
      '<p>&#60;script&#62;&#34;x&#34;&#60;/script&#62; <a href="#do-it">here</a> there <a href="#&#38;#34;onclick=x">bad</a> <strong>bold</strong></p>',
    );
  });

  it("ends, whatever it is given", () => {
    for (const text of ["", "#", "#####", "```", "|", "- ", "#x\n#y"]) expect(() => render(text)).not.toThrow();
  });
});
