import type { BenchRequest } from './requests';

const width = 1_500;
const height = 1_000;

/** Waves of colours with some noise: like a photograph, it is neither flat nor all noise. The same at every run. */
function pixels(): Buffer {
  const bytes = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 3;
      const noise = Math.imul(at + 1, 2_654_435_761) >>> 28;
      bytes[at] = 112 + 100 * Math.sin(x / 90) + noise;
      bytes[at + 1] = 112 + 100 * Math.sin(y / 70) + noise;
      bytes[at + 2] = 112 + 100 * Math.sin((x + y) / 110) + noise;
    }
  }
  return bytes;
}

/** A picture large enough that all smaller versions are made of it. */
async function picture(): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp(pixels(), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 85 })
    .toBuffer();
}

/** The request that uploads it. */
export async function upload(): Promise<BenchRequest> {
  const form = new FormData();
  form.set('files', new Blob([new Uint8Array(await picture())], { type: 'image/jpeg' }), 'picture.jpg');
  const spelt = new Response(form);
  const type = spelt.headers.get('content-type')!;
  const body = new Uint8Array(await spelt.arrayBuffer());
  return { method: 'POST', path: '/api/upload', headers: { 'content-type': type }, body };
}
