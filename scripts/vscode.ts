// Packs the extension for VS Code: npm run vscode [-- FILE]; by default dist/tacet-VERSION.vsix.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { licences } from './licences.ts';
import { zip } from './zip.ts';

const folder = fileURLToPath(new URL('../editors/vscode', import.meta.url));
const read = (name: string): Buffer => readFileSync(`${folder}/${name}`);
const described = JSON.parse(read('package.json').toString()) as Record<string, string>;

/** The program as one file, beside the licences of what it is made of. */
async function bundled(): Promise<readonly { readonly path: string; readonly content: Buffer }[]> {
  const bundle = await rolldown({
    input: { extension: `${folder}/extension.ts` },
    platform: 'node',
    external: ['vscode'],
    plugins: [{ name: 'licences', generateBundle: licences }],
  });
  const { output } = await bundle.generate({ format: 'cjs', entryFileNames: '[name].cjs', minify: true });
  await bundle.close();
  return output.map((one) => ({
    path: one.fileName === 'LICENCES' ? 'LICENCES.txt' : one.fileName,
    content: Buffer.from(one.type === 'chunk' ? one.code : one.source),
  }));
}

const escaped = (text = ''): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** What the marketplace and VS Code read of an extension (PackageManifest 2.0.0). */
const manifest = `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${escaped(described['name'])}" Version="${escaped(described['version'])}" Publisher="${escaped(described['publisher'])}"/>
    <DisplayName>${escaped(described['displayName'])}</DisplayName>
    <Description xml:space="preserve">${escaped(described['description'])}</Description>
    <Categories>Programming Languages,Linters</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escaped((described['engines'] as unknown as { vscode: string }).vscode)}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
`;

/** Open Packaging Conventions (ECMA-376-2 §10.1.2.2): the kinds of files, by their endings. */
const kinds = Object.entries({
  json: 'application/json',
  cjs: 'application/javascript',
  md: 'text/markdown',
  txt: 'text/plain',
  vsixmanifest: 'text/xml',
});
const types = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${kinds
  .map(([ending, type]) => `<Default Extension=".${ending}" ContentType="${type}"/>`)
  .join('')}</Types>
`;

const file = process.argv[2] ?? `dist/tacet-${described['version']}.vsix`;
const own = [
  { path: 'package.json', content: read('package.json') },
  { path: 'README.md', content: read('README.md') },
  { path: 'LICENSE.txt', content: readFileSync(new URL('../LICENSE', import.meta.url)) },
  ...(await bundled()),
];
mkdirSync(dirname(file), { recursive: true });
writeFileSync(
  file,
  zip([
    { path: 'extension.vsixmanifest', content: Buffer.from(manifest) },
    { path: '[Content_Types].xml', content: Buffer.from(types) },
    ...own.map(({ path, content }) => ({ path: `extension/${path}`, content })),
  ]),
);
process.stdout.write(`${file}\n`);
