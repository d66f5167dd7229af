import { vi } from 'vitest';

// How a secret is hashed is a choice (language §F.1), and kept with it: but where that is tested, it takes no time.
vi.mock('../src/service/resource/hash-cost.ts', () => ({ cost: { N: 2, r: 1, p: 1, length: 32 } }));
