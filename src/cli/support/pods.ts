import type { KubernetesObject } from '../../kubernetes/objects.ts';
import { scrubLog } from './scrub.ts';

/** A Pod, as far as its logs and metrics are found by it. */
export interface Pod extends KubernetesObject {
  readonly spec?: {
    readonly containers?: readonly {
      readonly name: string;
      readonly ports?: readonly { readonly name?: string; readonly containerPort?: number }[];
    }[];
  };
  readonly status?: {
    readonly containerStatuses?: readonly { readonly name: string; readonly restartCount?: number }[];
  };
}

/** A file about a pod, and the path of the API it is read from. */
export interface PodFile {
  readonly path: string;
  readonly from: string;
  readonly clean: (text: string) => string;
  /** That it is not there says nothing. */
  readonly isOptional?: true;
}

/** Of one log. Bytes. */
const MOST_LOG_BYTES = 10 * 1024 * 1024;

/** What is read of a pod of the operator: the logs of its containers, and its metrics. Pure. */
export function filesOfPod(namespace: string, { metadata, spec, status }: Pod, logLines: number): PodFile[] {
  const { name } = metadata;
  const api = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`;
  const folder = `operator/${namespace}/${name}`;
  const limits = `tailLines=${logLines}&limitBytes=${MOST_LOG_BYTES}`;
  return (spec?.containers ?? []).flatMap(({ name: container, ports }): PodFile[] => {
    const log = `${api}/log?container=${encodeURIComponent(container)}&${limits}`;
    const restarts = status?.containerStatuses?.find((one) => one.name === container)?.restartCount ?? 0;
    const port = ports?.find((one) => one.name === 'metrics')?.containerPort;
    return [
      { path: `${folder}/${container}.log`, from: log, clean: scrubLog },
      ...(restarts > 0
        ? [
            {
              path: `${folder}/${container}.previous.log`,
              from: `${log}&previous=true`,
              clean: scrubLog,
              isOptional: true as const,
            },
          ]
        : []),
      ...(port === undefined
        ? []
        : [{ path: `${folder}/metrics.txt`, from: `${api}:${port}/proxy/metrics`, clean: scrubLog }]),
    ];
  });
}
