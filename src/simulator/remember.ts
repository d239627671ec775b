import { hash } from 'node:crypto';

const MOST_TEXTS = 1000;
const LONGEST_TEXT_CHARACTERS = 16_384;

/**
 * A pure function that remembers what it gave for the last texts: a thousand of them, of up to 16 KiB each, known by their
 * digests, so that neither secrets nor whole bodies are kept. What throws is not remembered.
 */
export function remembering<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, { readonly value: T }>();
  return (text) => {
    if (text.length > LONGEST_TEXT_CHARACTERS) return make(text);
    const digest = hash('sha256', text);
    const found = known.get(digest);
    if (found) return found.value;
    const value = make(text);
    if (known.size >= MOST_TEXTS) known.clear();
    known.set(digest, { value });
    return value;
  };
}
