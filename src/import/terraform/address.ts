import { UNSAFE } from '../../unsafe.ts';
import type { StateInstance, StateResource } from './state.ts';

/** Where an instance is in a state, as `terraform state list` writes it. */
export function addressOf(resource: StateResource, instance: StateInstance): string {
  return [...(resource.module ? [resource.module] : []), `${resource.type}.${resource.name}`]
    .join('.')
    .concat(indexOf(instance.index_key));
}

function indexOf(key: string | number | null | undefined): string {
  if (key === undefined || key === null) return '';
  if (typeof key === 'number') return `[${key}]`;
  return `[${JSON.stringify(key)
    .replaceAll('${', () => '$${')
    .replaceAll('%{', '%%{')}]`;
}

const QUOTED_PROVIDER = 'provider["';
const PLAIN_PROVIDER = 'provider.';

/** The provider's name and, where there is one, its alias: of `provider["registry.terraform.io/sacloud/sakuracloud"].tokyo`. */
export function providerOf(text: string): { readonly name: string; readonly alias: string | undefined } {
  const start = text.lastIndexOf(QUOTED_PROVIDER);
  if (start >= 0) {
    const [source = '', rest = ''] = text.slice(start + QUOTED_PROVIDER.length).split('"]');
    return { name: source.slice(source.lastIndexOf('/') + 1), alias: rest.startsWith('.') ? rest.slice(1) : undefined };
  }
  // Terraform 0.12 wrote it without its source, below the module: `module.fleet.provider.sakuracloud.tokyo`.
  const plain = text.slice(Math.max(text.lastIndexOf(`.${PLAIN_PROVIDER}`) + 1, 0));
  const [name = '', alias] = plain.startsWith(PLAIN_PROVIDER) ? plain.slice(PLAIN_PROVIDER.length).split('.') : [text];
  return { name, alias };
}

/** The words of an address that tell instances apart: modules with their keys, the name, its own key. */
export function wordsOf(resource: StateResource, instance: StateInstance): string[] {
  // A module path is `module.a["key"].module.b[0]`: a quoted key may hold dots.
  const modules = [...(resource.module ?? '').matchAll(/module\.([^.[]+)(?:\[("(?:[^"\\]|\\.)*"|\d+)\])?/g)].flatMap(
    ([, name = '', key]) => (key === undefined ? [name] : [name, unquoted(key)]),
  );
  const { index_key: key } = instance;
  return [...modules, resource.name, ...(key === undefined || key === null ? [] : [String(key)])];
}

function unquoted(key: string): string {
  return key.startsWith('"') ? key.slice(1, -1).replaceAll(/\\(.)/g, '$1') : key;
}

/** As an argument for a POSIX shell. */
export function quoted(address: string): string {
  return `'${address.replaceAll("'", `'\\''`)}'`;
}

/** Without what could begin another line, steer a terminal, or hide. */
export function oneLine(text: string): string {
  return text.replaceAll(UNSAFE, ' ');
}
