/** The value of an Authorization header by RFC 7617 (`api.md`, Authentication). A secret: never log it. */
export function basicAuthorization(accessToken: string, accessTokenSecret: string): string {
  return `Basic ${Buffer.from(`${accessToken}:${accessTokenSecret}`, 'utf8').toString('base64')}`;
}
