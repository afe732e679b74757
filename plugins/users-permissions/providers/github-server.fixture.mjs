// What of GitHub a login needs, as a process of its own, for tests: it says "ready" and its address.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

const attempts = new Map();

const json = (response, status, body) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

async function bodyOf(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return new URLSearchParams(text);
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://x');
  if (pathname === '/login/oauth/authorize') {
    // Whoever comes is asked nothing: `login` says who they are.
    const code = `code-${attempts.size}`;
    attempts.set(code, { challenge: searchParams.get('code_challenge'), login: searchParams.get('login') });
    const back = new URL(searchParams.get('redirect_uri'));
    back.search = new URLSearchParams({ code, state: searchParams.get('state') });
    return response.writeHead(302, { location: back.href }).end();
  }
  if (pathname === '/login/oauth/access_token') {
    const body = await bodyOf(request);
    const attempt = attempts.get(body.get('code'));
    attempts.delete(body.get('code'));
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight = attempt?.challenge === challenge && body.get('client_secret') === 'github-secret-0815';
    // GitHub refuses with 200.
    if (!isRight) return json(response, 200, { error: 'bad_verification_code' });
    return json(response, 200, { access_token: `token-${attempt.login}`, token_type: 'bearer', scope: 'user:email' });
  }
  const [, login] = /^Bearer token-(.+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (!login) return json(response, 401, { message: 'Bad credentials' });
  if (pathname === '/api/v3/user') return json(response, 200, { login, email: 'shown@example.com' });
  const own = { email: `${login}@git.example.com`, primary: true, verified: !login.startsWith('unproven') };
  if (pathname === '/api/v3/user/emails')
    return json(response, 200, [{ email: 'old@example.com', primary: false, verified: true }, own]);
  return json(response, 404, {});
});

await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
console.log(`ready http://127.0.0.1:${server.address().port}`);
