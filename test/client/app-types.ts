import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from '../../client/node_modules/typescript/lib/typescript.js';

/*
 * Writes app-types.json in this folder: the types of packages for apps, as far as the code of docs/apps.md and docs/migrate.md
 * uses them. The packages themselves would add 345 MB and 500 packages to `npm ci`. Run it after a change of versions or of
 * that code: node test/client/app-types.ts
 */

const versions = {
  '@react-native-async-storage/async-storage': '3.1.1',
  '@react-native-clipboard/clipboard': '1.16.3',
  '@react-native-firebase/dynamic-links': '22.4.0',
  '@react-native-firebase/app': '22.4.0',
  '@types/react': '19.3.3',
  expo: '56.0.23',
  'expo-application': '56.0.3',
  'expo-clipboard': '56.0.4',
  'react-native': '0.88.1',
  'react-native-play-install-referrer': '2.0.1',
};

const uses = `
import AsyncStorage from '@react-native-async-storage/async-storage';
import Clipboard from '@react-native-clipboard/clipboard';
import dynamicLinks, { buildLink, buildShortLink, getDynamicLinks, getInitialLink } from '@react-native-firebase/dynamic-links';
import { onLink, performDiagnostics, resolveLink, ShortLinkType } from '@react-native-firebase/dynamic-links';
import type { FirebaseDynamicLinksTypes } from '@react-native-firebase/dynamic-links';
import type { ExpoConfig } from 'expo/config';
import { getInstallReferrerAsync } from 'expo-application';
import { getStringAsync } from 'expo-clipboard';
import { useEffect } from 'react';
import { AppState, Linking, Platform } from 'react-native';
import { PlayInstallReferrer } from 'react-native-play-install-referrer';
`;

const folder = process.env.APP_TYPES_FOLDER ?? mkdtempSync(path.join(tmpdir(), 'app-types-'));
if (!process.env.APP_TYPES_FOLDER) {
  writeFileSync(path.join(folder, 'package.json'), '{}');
  const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  execFileSync('npm', ['install', '--ignore-scripts', '--legacy-peer-deps', ...packages], {
    cwd: folder,
    stdio: 'inherit',
  });
}
const root = path.join(folder, 'uses.ts');
writeFileSync(root, uses);

const program = ts.createProgram([root], {
  module: ts.ModuleKind.Preserve,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2022.d.ts'],
  types: [],
  skipLibCheck: true,
});
const checker = program.getTypeChecker();
const isOurs = (file: ts.SourceFile): boolean =>
  file.fileName.includes('/node_modules/') && !program.isSourceFileDefaultLibrary(file);

/** Statements and specifiers in use. */
const needed = new Set<ts.Node>();

const need = (symbol: ts.Symbol | undefined): void => {
  if (!symbol) return;
  if (symbol.flags & ts.SymbolFlags.Alias) need(checker.getImmediateAliasedSymbol(symbol));
  for (const declaration of symbol.declarations ?? []) {
    if (!isOurs(declaration.getSourceFile())) continue;
    let node: ts.Node = declaration;
    // A file as a whole is needed by name only.
    if (ts.isSourceFile(node)) continue;
    while (!ts.isSourceFile(node.parent)) {
      if (ts.isImportSpecifier(node) || ts.isExportSpecifier(node) || ts.isModuleBlock(node.parent))
        needStatement(node);
      node = node.parent;
    }
    needStatement(node);
  }
};

const needStatement = (node: ts.Node): void => {
  if (needed.has(node)) return;
  needed.add(node);
  const isContainer =
    ts.isModuleDeclaration(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
  if (!isContainer) follow(node);
};

const follow = (node: ts.Node): void => {
  if (ts.isIdentifier(node)) need(checker.getSymbolAtLocation(node));
  ts.forEachChild(node, follow);
};

follow(program.getSourceFile(root) as ts.SourceFile);

/** Files with something needed, also by `export *`. */
const filled = new Set([...needed].map((node) => node.getSourceFile()).filter(isOurs));
const reexports = ({ moduleSpecifier }: ts.ExportDeclaration): boolean => {
  const symbol = moduleSpecifier && checker.getSymbolAtLocation(moduleSpecifier);
  return symbol?.declarations?.some((one) => filled.has(one.getSourceFile())) ?? false;
};
for (let size = 0; size !== filled.size; ) {
  size = filled.size;
  for (const file of program.getSourceFiles().filter(isOurs))
    if (file.statements.some((one) => ts.isExportDeclaration(one) && !one.exportClause && reexports(one)))
      filled.add(file);
}

/** A statement with the needed parts of its lists. */
const trimmed = (statement: ts.Statement): ts.Statement | undefined => {
  if (ts.isModuleDeclaration(statement) && statement.body && ts.isModuleBlock(statement.body)) {
    if (!needed.has(statement)) return undefined;
    const inner = statement.body.statements.map(trimmed).filter((one) => one !== undefined);
    const { modifiers, name, flags } = statement;
    return ts.factory.createModuleDeclaration(modifiers, name, ts.factory.createModuleBlock(inner), flags);
  }
  if (ts.isExportDeclaration(statement) && !statement.exportClause)
    return reexports(statement) ? statement : undefined;
  if (ts.isExportAssignment(statement)) return statement;
  if (!needed.has(statement)) return undefined;
  if (
    ts.isExportDeclaration(statement) &&
    statement.exportClause &&
    ts.isNamedExports(statement.exportClause)
  ) {
    const { modifiers, isTypeOnly, exportClause, moduleSpecifier } = statement;
    const kept = ts.factory.createNamedExports(exportClause.elements.filter((one) => needed.has(one)));
    return ts.factory.createExportDeclaration(modifiers, isTypeOnly, kept, moduleSpecifier);
  }
  const bindings = ts.isImportDeclaration(statement) && statement.importClause?.namedBindings;
  if (bindings && ts.isNamedImports(bindings)) {
    const { modifiers, importClause, moduleSpecifier } = statement as ts.ImportDeclaration;
    const kept = ts.factory.createNamedImports(bindings.elements.filter((one) => needed.has(one)));
    const clause = ts.factory.createImportClause(importClause?.isTypeOnly ?? false, importClause?.name, kept);
    return ts.factory.createImportDeclaration(modifiers, clause, moduleSpecifier);
  }
  return statement;
};

const printer = ts.createPrinter({ removeComments: true });
const files: Record<string, string> = {};
for (const file of filled) {
  const statements = file.statements.map(trimmed).filter((one) => one !== undefined);
  const text = statements.map((one) => printer.printNode(ts.EmitHint.Unspecified, one, file)).join('\n');
  files[path.relative(folder, file.fileName)] = text.replace(/\n\s*/g, ' ');
}
for (const file of Object.keys(files)) {
  const [name = ''] = /^node_modules\/(@[^/]+\/)?[^/]+/.exec(file) ?? [];
  const { version, types, typings, main, exports } = JSON.parse(
    readFileSync(path.join(folder, name, 'package.json'), 'utf8'),
  );
  files[`${name}/package.json`] = JSON.stringify({
    version,
    types: types ?? typings,
    main,
    exports: exports?.['.'] && { '.': exports['.'] },
  });
}
writeFileSync(
  process.env.OUT ?? path.join(import.meta.dirname, 'app-types.json'),
  JSON.stringify(files, null, 1),
);
if (!process.env.APP_TYPES_FOLDER) rmSync(folder, { recursive: true });
