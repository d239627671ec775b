import { createHash } from 'node:crypto';
import type { SecureContext } from 'node:tls';

/** So many bundles are kept: a cluster has one or two. */
const MOST_KEPT = 16;

/**
 * One context per bundle, however many accounts name it: each holds all roots anew, which is some megabytes, and parsing
 * them keeps everything else waiting. Beyond `kept` the one used longest ago is dropped; whoever has it goes on with it.
 */
export function createSecureContexts(make: (bundle: string) => SecureContext, kept = MOST_KEPT) {
  const contexts = new Map<string, SecureContext>();

  return {
    /** @throws what `make` throws, which is not kept */
    of(bundle: string): SecureContext {
      const digest = createHash('sha256').update(bundle).digest('base64');
      const context = contexts.get(digest) ?? make(bundle);
      contexts.delete(digest);
      contexts.set(digest, context);
      for (const oldest of contexts.keys()) {
        if (contexts.size <= kept) break;
        contexts.delete(oldest);
      }
      return context;
    },
  };
}
