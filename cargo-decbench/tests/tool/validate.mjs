// Validates YAML files against a schema as editors do: node validate.mjs <schema> <file>... prints one JSON line a file.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
const require = createRequire(process.cwd() + "/");
const { getLanguageService } = require("yaml-language-server");
const { TextDocument } = require("vscode-languageserver-textdocument");

const [schemaFile, ...files] = process.argv.slice(2);
const schema = JSON.parse(readFileSync(schemaFile, "utf8"));
const nothing = () => undefined;
const service = getLanguageService({
  schemaRequestService: async () => JSON.stringify(schema),
  workspaceContext: { resolveRelativePath: (path) => path },
  yamlSettings: undefined,
  telemetry: { send: nothing, sendError: nothing, sendTrack: nothing },
});
service.configure({
  validate: true,
  customTags: [],
  schemas: [{ uri: "file:///suite.schema.json", fileMatch: ["suite.yaml"], schema }],
});
for (const [at, file] of files.entries()) {
  // What was found is kept by name, so each text gets one of its own.
  const document = TextDocument.create(`file:///${at}/suite.yaml`, "yaml", 1, readFileSync(file, "utf8"));
  const found = await service.doValidation(document, false);
  console.log(JSON.stringify({ file, mistakes: found.map((one) => [one.range.start.line + 1, one.message]) }));
}
