/** What every test world's account is opened with. */
export const ACCESS_TOKEN = 'test-token';
export const ACCESS_TOKEN_SECRET = 'test-token-secret';
export const PASS_CODE = 'test-pass-code';

/** A Secret as YAML. */
export function secret(name: string, data: Readonly<Record<string, string>>): string {
  return `apiVersion: v1\nkind: Secret\nmetadata: {name: ${name}}\nstringData: ${JSON.stringify(data)}`;
}

/** A resource of one of the operator's kinds. */
export const manifest = (kind: string, name: string, spec: object) => ({
  apiVersion: 'edgeline.dev/v1alpha1',
  kind,
  metadata: { name },
  spec,
});
