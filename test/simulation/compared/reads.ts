import { kindDefinitions } from '../../../src/kinds/index.ts';
import { pathOf } from '../../../src/kubernetes/resource.ts';
import { type Make, type Parts, pathTo } from './parts.ts';

export const PARTIAL = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const PARTIAL_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

export function read(parts: Parts): Make {
  const { name, random } = parts;
  const accept = random.oneIn(3) ? PARTIAL : undefined;
  return () => ({ method: 'GET', path: pathTo(parts, name), accept });
}

/** What a kind of ours says that it can be selected by. */
function selectedBy(kind: string): Record<string, string>[] {
  const { selectable = [] } = kindDefinitions.find((one) => one.kind === kind) ?? {};
  return selectable.slice(0, 2).flatMap((path) => {
    const field = path.slice(1);
    return [{ fieldSelector: `${field}=` }, { fieldSelector: `${field}!=x,metadata.name!=y` }];
  });
}

export function list(parts: Parts): Make {
  const { random, name, resource, place } = parts;
  const accept = random.oneIn(3) ? PARTIAL_LIST : undefined;
  const everywhere = !resource.namespaced;
  const acrossNamespaces = resource.namespaced && random.oneIn(6);
  const selectors: [Record<string, string>, ...Record<string, string>[]] = everywhere
    ? [{ fieldSelector: `metadata.name=${name}` }, { labelSelector: `run=${place.namespace}` }]
    : [
        {},
        {},
        { fieldSelector: `metadata.name=${name}` },
        { fieldSelector: `metadata.name=${name},metadata.namespace=${place.namespace}` },
        { fieldSelector: `metadata.name!=${name}` },
        { labelSelector: 'color=red' },
        { labelSelector: 'color' },
        { fieldSelector: 'spec.unknown=1' },
        ...selectedBy(resource.kind),
      ];
  const selector = random.pick(selectors);
  const limit = everywhere ? 0 : random.pick([0, 0, 1, 2]);
  const goesOn = random.oneIn(2);
  return (known) => {
    if (acrossNamespaces) {
      // As an informer looks whether history is still the one it knows.
      const fieldSelector = `metadata.name=${name},metadata.namespace=${place.namespace}`;
      return {
        method: 'GET',
        path: `${pathOf(resource)}?${new URLSearchParams({ fieldSelector }).toString()}`,
        accept,
      };
    }
    const query = new URLSearchParams(selector);
    if (limit > 0) query.set('limit', String(limit));
    if (goesOn && limit > 0 && known.continueToken !== undefined) query.set('continue', known.continueToken);
    return { method: 'GET', path: `${pathTo(parts)}?${query.toString()}`, accept };
  };
}
