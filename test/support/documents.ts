import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexer, type Token, walkTokens } from 'marked';
import { packageRoot } from '../../src/sandbox/package-root.ts';

/** A page for people: Markdown, and what is in it. */
export interface Page {
  /** From the root of the project. */
  readonly path: string;
  readonly links: readonly string[];
  /** What `#…` can lead to. */
  readonly anchors: ReadonlySet<string>;
  readonly blocks: readonly CodeBlock[];
}

/** A fenced block of code. */
export interface CodeBlock {
  /** Its language and what is written behind it, such as `sh`. */
  readonly language: string;
  readonly text: string;
  /** The heading it stands below; empty before the first. */
  readonly heading: string;
}

/** All pages of the project. */
export function readPages(): readonly Page[] {
  const root = packageRoot();
  const paths = globSync(['*.md', '{bench,crds,deploy,docs,helm,test}/**/*.md'], {
    cwd: root,
    exclude: ['**/node_modules/**'],
  });
  return paths.sort().map((path) => readPage(path, readFileSync(join(root, path), 'utf8')));
}

/** One page. */
export function readPageAt(path: string): Page {
  return readPage(path, readFileSync(join(packageRoot(), path), 'utf8'));
}

function readPage(path: string, text: string): Page {
  const links: string[] = [];
  const anchors = new Set<string>();
  const blocks: CodeBlock[] = [];
  let heading = '';
  const tokens = lexer(text);
  void walkTokens(tokens, (token: Token) => {
    if (token.type === 'link' || token.type === 'image') links.push(String(token['href']));
    if (token.type === 'heading') {
      heading = String(token['text']);
      anchors.add(anchorOf(heading, anchors));
    }
    if (token.type === 'code') {
      blocks.push({ language: String(token['lang'] ?? ''), text: String(token['text']), heading });
    }
  });
  return { path, links, anchors, blocks };
}

/** As GitHub makes it from a heading; the second of the same name gets `-1`. */
function anchorOf(heading: string, taken: ReadonlySet<string>): string {
  const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  const anchor = plain.replaceAll(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
  for (let number = 0; ; number++) {
    const candidate = number === 0 ? anchor : `${anchor}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
