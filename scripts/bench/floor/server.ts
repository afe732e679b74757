import { createServer } from 'node:http';
import { sqliteDriver } from '../../../plugins/sql';
import { createAnswers } from './answers';

// node floor/server.js FILE: three answers over node:http, on the port that PORT names.

const database = new (sqliteDriver())(process.argv[2]!, { readonly: true });
const answerTo = createAnswers(database);

createServer((request, response) => {
  const answer = answerTo(request.url!);
  response.statusCode = answer ? 200 : request.url === '/_health' ? 204 : 404;
  if (!answer) return void response.end();
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(answer);
}).listen(Number(process.env['PORT']), '127.0.0.1');

process.once('SIGTERM', () => process.exit(0));
