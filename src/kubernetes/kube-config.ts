/**
 * The one class of client-node that is used. Imported by name from a module of its own, so that the bundle carries it
 * alone: the package's generated models are three megabytes, and forty of memory once loaded.
 */
export { KubeConfig } from '@kubernetes/client-node';
