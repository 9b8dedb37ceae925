
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'sitegen' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'sitegen'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'sitegen' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('new', 'new', [CompletionResultType]::ParameterValue, 'Create a project from a starter, or add a page, entry, island or component to a project')
            [CompletionResult]::new('import', 'import', [CompletionResultType]::ParameterValue, 'Create a project from the sources of a Hugo, Jekyll, Zola, Starlight, Docusaurus or mdBook site')
            [CompletionResult]::new('build', 'build', [CompletionResultType]::ParameterValue, 'Build the site and publish it to a folder')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Report every error in the site without publishing it')
            [CompletionResult]::new('fix', 'fix', [CompletionResultType]::ParameterValue, 'Apply the safe fixes that messages suggest, then check')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Check the files of a published folder against its manifest.json')
            [CompletionResult]::new('deploy', 'deploy', [CompletionResultType]::ParameterValue, 'Copy the output folder to object storage, to a server over SSH or to a folder')
            [CompletionResult]::new('serve', 'serve', [CompletionResultType]::ParameterValue, 'Serve the site locally and update the browser after every save')
            [CompletionResult]::new('preview', 'preview', [CompletionResultType]::ParameterValue, 'Serve a published folder locally, as its hosting service does')
            [CompletionResult]::new('lsp', 'lsp', [CompletionResultType]::ParameterValue, 'Answer an editor that speaks the Language Server Protocol, on standard input and output')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain a diagnostic code, like `unknown-key`')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Print details of the build environment for bug reports')
            [CompletionResult]::new('translations', 'translations', [CompletionResultType]::ParameterValue, 'List missing and outdated translations, and exchange texts with translators')
            [CompletionResult]::new('types', 'types', [CompletionResultType]::ParameterValue, 'Write TypeScript types for islands and content to .sitegen/types')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print the JSON Schema for content/site.yaml, a page, an entry or a diagnostic')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitegen;new' {
            [CompletionResult]::new('--starter', '--starter', [CompletionResultType]::ParameterName, 'The starter to copy (asked for in a terminal, otherwise `minimal`)')
            [CompletionResult]::new('--name', '--name', [CompletionResultType]::ParameterName, 'The name of the site (asked for in a terminal, otherwise that of the folder)')
            [CompletionResult]::new('--url', '--url', [CompletionResultType]::ParameterName, 'The URL of the site (asked for in a terminal, otherwise `https://www.example.com`)')
            [CompletionResult]::new('--language', '--language', [CompletionResultType]::ParameterName, 'The language of the site, like `de-AT` (asked for in a terminal, otherwise `en`)')
            [CompletionResult]::new('--languages', '--languages', [CompletionResultType]::ParameterName, 'Several languages, like `en,de,ar`: the first is that of the original texts')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('page', 'page', [CompletionResultType]::ParameterValue, 'Create a draft page with the keys that its template needs')
            [CompletionResult]::new('entry', 'entry', [CompletionResultType]::ParameterValue, 'Create a draft entry in a collection with the keys that its schema requires')
            [CompletionResult]::new('island', 'island', [CompletionResultType]::ParameterValue, 'Create an island')
            [CompletionResult]::new('component', 'component', [CompletionResultType]::ParameterValue, 'Create a template component')
            break
        }
        'sitegen;new;page' {
            [CompletionResult]::new('--template', '--template', [CompletionResultType]::ParameterName, 'The template of the page, relative to templates/, like `pages/legal.html` [default: pages/page.html]')
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project folder, which contains content/')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitegen;new;entry' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project folder, which contains content/')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitegen;new;island' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project folder, which contains content/')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitegen;new;component' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project folder, which contains content/')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitegen;import' {
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'The generator of the old site')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sitegen;build' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project folder, which contains content/')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The URL of the deployed site; overrides `url` in content/site.yaml')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'The build date, like 2026-12-01, for `publish` and `expires` [default: today in UTC, or SOURCE_DATE_EPOCH]')
            [CompletionResult]::new('--against', '--against', [CompletionResultType]::ParameterName, 'The manifest.json of the previous publication, used to report removed addresses; `none` skips this check [default: the one in the output folder]')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Treat warnings as errors')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to print diagnostics')
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'The folder to publish to [default: dist/ in the project folder]')
            [CompletionResult]::new('--cache', '--cache', [CompletionResultType]::ParameterName, 'A cache that machines share: s3://bucket/prefix, gs://…, az://…, https://… of a Bazel cache, or a folder')
            [CompletionResult]::new('--shard', '--shard', [CompletionResultType]::ParameterName, 'Make one part of the pages and pictures, like 3/8, for the shared cache, and publish nothing')
            [CompletionResult]::new('--timings', '--timings', [CompletionResultType]::ParameterName, 'Print the time of each stage and the slowest pages')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'The hosting service to build for; overrides `settings.host` in content/site.yaml')
            [CompletionResult]::new('--drafts', '--drafts', [CompletionResultType]::ParameterName, 'Include drafts, and pages and entries with a `publish` date in the future')
            [CompletionResult]::new('--development', '--development', [CompletionResultType]::ParameterName, 'Use React''s development build, which explains island errors in the browser console')
            [CompletionResult]::new('--staging', '--staging', [CompletionResultType]::ParameterName, 'Keep search engines out: robots.txt, every page and the response headers forbid indexing')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--no-manifest', '--no-manifest', [CompletionResultType]::ParameterName, 'Do not write manifest.json, which lists every file with its SHA-256')
            [CompletionResult]::new('--in-place', '--in-place', [CompletionResultType]::ParameterName, 'Replace files one by one and keep the folder itself, for a folder that a container mounts')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print every file with its size')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print every file with its size')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sitegen;check' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project folder, which contains content/')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The URL of the deployed site; overrides `url` in content/site.yaml')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'The build date, like 2026-12-01, for `publish` and `expires` [default: today in UTC, or SOURCE_DATE_EPOCH]')
            [CompletionResult]::new('--against', '--against', [CompletionResultType]::ParameterName, 'The manifest.json of the previous publication, used to report removed addresses; `none` skips this check [default: the one in the output folder]')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Treat warnings as errors')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to print diagnostics')
            [CompletionResult]::new('--cache', '--cache', [CompletionResultType]::ParameterName, 'A cache that machines share: s3://bucket/prefix, gs://…, az://…, https://… of a Bazel cache, or a folder')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'The hosting service to build for; overrides `settings.host` in content/site.yaml')
            [CompletionResult]::new('--drafts', '--drafts', [CompletionResultType]::ParameterName, 'Include drafts, and pages and entries with a `publish` date in the future')
            [CompletionResult]::new('--development', '--development', [CompletionResultType]::ParameterName, 'Use React''s development build, which explains island errors in the browser console')
            [CompletionResult]::new('--staging', '--staging', [CompletionResultType]::ParameterName, 'Keep search engines out: robots.txt, every page and the response headers forbid indexing')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--no-manifest', '--no-manifest', [CompletionResultType]::ParameterName, 'Check as if building with --no-manifest')
            [CompletionResult]::new('--suppress-all', '--suppress-all', [CompletionResultType]::ParameterName, 'Write the errors that can be suppressed to suppressions.json; builds then pass as long as no more are added')
            [CompletionResult]::new('--prune-suppressions', '--prune-suppressions', [CompletionResultType]::ParameterName, 'Remove errors from suppressions.json that have been corrected')
            [CompletionResult]::new('--fix', '--fix', [CompletionResultType]::ParameterName, 'Apply the safe fixes that messages suggest, as `sitegen fix` does')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sitegen;fix' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project folder, which contains content/')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The URL of the deployed site; overrides `url` in content/site.yaml')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'The build date, like 2026-12-01, for `publish` and `expires` [default: today in UTC, or SOURCE_DATE_EPOCH]')
            [CompletionResult]::new('--against', '--against', [CompletionResultType]::ParameterName, 'The manifest.json of the previous publication, used to report removed addresses; `none` skips this check [default: the one in the output folder]')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Treat warnings as errors')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to print diagnostics')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'The hosting service to build for; overrides `settings.host` in content/site.yaml')
            [CompletionResult]::new('--drafts', '--drafts', [CompletionResultType]::ParameterName, 'Include drafts, and pages and entries with a `publish` date in the future')
            [CompletionResult]::new('--development', '--development', [CompletionResultType]::ParameterName, 'Use React''s development build, which explains island errors in the browser console')
            [CompletionResult]::new('--staging', '--staging', [CompletionResultType]::ParameterName, 'Keep search engines out: robots.txt, every page and the response headers forbid indexing')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Print the changes as a diff, and write nothing')
            [CompletionResult]::new('--no-manifest', '--no-manifest', [CompletionResultType]::ParameterName, 'Check as if building with --no-manifest')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sitegen;verify' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to print diagnostics')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sitegen;deploy' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project folder, which contains content/')
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'Where to deploy to, like s3://bucket or ssh://host/folder; overrides `settings.deploy.to` in content/site.yaml')
            [CompletionResult]::new('--over', '--over', [CompletionResultType]::ParameterName, 'Deploy although somebody else has made this deploy since the last one from this folder')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'How long to wait for another running deploy before taking it over')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to print diagnostics')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'List what would change, and change nothing')
            [CompletionResult]::new('--rollback', '--rollback', [CompletionResultType]::ParameterName, 'Publish the site before the current one again, from what is kept at the target')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Send every file again, and replace files that no deploy has put there')
            [CompletionResult]::new('--no-rollback', '--no-rollback', [CompletionResultType]::ParameterName, 'Keep no old content for `--rollback`')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sitegen;serve' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project folder, which contains content/')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The URL of the deployed site; overrides `url` in content/site.yaml')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'The build date, like 2026-12-01, for `publish` and `expires` [default: today in UTC, or SOURCE_DATE_EPOCH]')
            [CompletionResult]::new('--against', '--against', [CompletionResultType]::ParameterName, 'The manifest.json of the previous publication, used to report removed addresses; `none` skips this check [default: the one in the output folder]')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Treat warnings as errors')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to print diagnostics')
            [CompletionResult]::new('--port', '--port', [CompletionResultType]::ParameterName, 'The port to listen on; if it is in use, the next free port [default: 8000]')
            [CompletionResult]::new('--address', '--address', [CompletionResultType]::ParameterName, 'The IP address to listen on; 0.0.0.0 lets other machines connect')
            [CompletionResult]::new('--allowed-hosts', '--allowed-hosts', [CompletionResultType]::ParameterName, 'Additional host names to accept, like that of a tunnel; localhost and the server''s own addresses are always accepted, and `.example.com` allows all subdomains')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'The hosting service to build for; overrides `settings.host` in content/site.yaml')
            [CompletionResult]::new('--drafts', '--drafts', [CompletionResultType]::ParameterName, 'Include drafts, and pages and entries with a `publish` date in the future')
            [CompletionResult]::new('--development', '--development', [CompletionResultType]::ParameterName, 'Use React''s development build, which explains island errors in the browser console')
            [CompletionResult]::new('--staging', '--staging', [CompletionResultType]::ParameterName, 'Keep search engines out: robots.txt, every page and the response headers forbid indexing')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--open', '--open', [CompletionResultType]::ParameterName, 'Open the site in a browser')
            [CompletionResult]::new('--edit', '--edit', [CompletionResultType]::ParameterName, 'Also serve a page that edits the others: a click on a text changes it in its file below content/. Without --port, on a random port')
            [CompletionResult]::new('--allow-remote-editing', '--allow-remote-editing', [CompletionResultType]::ParameterName, 'Allow --edit together with an --address that other machines reach, or with --allowed-hosts')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sitegen;preview' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project folder; its content/site.yaml contains the settings for the hosting service')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'The hosting service to imitate; overrides `settings.host` in content/site.yaml')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The URL the site was built for; overrides `url` in content/site.yaml')
            [CompletionResult]::new('--port', '--port', [CompletionResultType]::ParameterName, 'The port to listen on; if it is in use, the next free port [default: 8000]')
            [CompletionResult]::new('--address', '--address', [CompletionResultType]::ParameterName, 'The IP address to listen on; 0.0.0.0 lets other machines connect')
            [CompletionResult]::new('--allowed-hosts', '--allowed-hosts', [CompletionResultType]::ParameterName, 'Additional host names to accept, like that of a tunnel; localhost and the server''s own addresses are always accepted, and `.example.com` allows all subdomains')
            [CompletionResult]::new('--open', '--open', [CompletionResultType]::ParameterName, 'Open the site in a browser')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitegen;lsp' {
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'The hosting service to check for; overrides `settings.host` in content/site.yaml')
            [CompletionResult]::new('--drafts', '--drafts', [CompletionResultType]::ParameterName, 'Include drafts, and pages and entries with a `publish` date in the future')
            [CompletionResult]::new('--no-programs', '--no-programs', [CompletionResultType]::ParameterName, 'Run no program of the project: islands are not compiled')
            [CompletionResult]::new('--stdio', '--stdio', [CompletionResultType]::ParameterName, 'What some editors add; standard input and output are used anyway')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitegen;explain' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitegen;doctor' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project folder, which contains content/')
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'The output folder [default: dist/ in the project folder]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to print the report')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sitegen;translations' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project folder, which contains content/')
            [CompletionResult]::new('--language', '--language', [CompletionResultType]::ParameterName, 'Only this language, like `de`')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to print the table')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Exit with 1 if there is such a text; may be given more than once')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('confirm', 'confirm', [CompletionResultType]::ParameterValue, 'Write into translations that they translate the present version of their originals')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Print the texts that a language lacks as a PO file of gettext')
            [CompletionResult]::new('import', 'import', [CompletionResultType]::ParameterValue, 'Write the translations of a PO file into the content, once the whole site is checked with them')
            break
        }
        'sitegen;translations;confirm' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project folder, which contains content/')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitegen;translations;export' {
            [CompletionResult]::new('--language', '--language', [CompletionResultType]::ParameterName, 'The language to translate into, like `de`')
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project folder, which contains content/')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Print all texts, also those that are translated')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitegen;translations;import' {
            [CompletionResult]::new('--language', '--language', [CompletionResultType]::ParameterName, 'The language of the file [default: the one that its header names]')
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project folder, which contains content/')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The URL of the deployed site; overrides `url` in content/site.yaml')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'The hosting service to build for; overrides `settings.host` in content/site.yaml')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'The build date, like 2026-12-01, for `publish` and `expires` [default: today in UTC, or SOURCE_DATE_EPOCH]')
            [CompletionResult]::new('--against', '--against', [CompletionResultType]::ParameterName, 'The manifest.json of the previous publication, used to report removed addresses; `none` skips this check [default: the one in the output folder]')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Treat warnings as errors')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to print diagnostics')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Print the changes as a diff, and write nothing')
            [CompletionResult]::new('--drafts', '--drafts', [CompletionResultType]::ParameterName, 'Include drafts, and pages and entries with a `publish` date in the future')
            [CompletionResult]::new('--development', '--development', [CompletionResultType]::ParameterName, 'Use React''s development build, which explains island errors in the browser console')
            [CompletionResult]::new('--staging', '--staging', [CompletionResultType]::ParameterName, 'Keep search engines out: robots.txt, every page and the response headers forbid indexing')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sitegen;types' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project folder, which contains content/')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitegen;schema' {
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Print a schema inferred from the entries of a collection, like `beers`; review it before you use it')
            [CompletionResult]::new('--for', '--for', [CompletionResultType]::ParameterName, 'Print the configuration of a content manager that edits this project')
            [CompletionResult]::new('--repository', '--repository', [CompletionResultType]::ParameterName, 'The repository on GitHub that Decap CMS and Sveltia CMS write to, like `bakery/website`')
            [CompletionResult]::new('--branch', '--branch', [CompletionResultType]::ParameterName, 'The branch that they write to')
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project folder, which contains content/')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sitegen;help' {
            [CompletionResult]::new('new', 'new', [CompletionResultType]::ParameterValue, 'Create a project from a starter, or add a page, entry, island or component to a project')
            [CompletionResult]::new('import', 'import', [CompletionResultType]::ParameterValue, 'Create a project from the sources of a Hugo, Jekyll, Zola, Starlight, Docusaurus or mdBook site')
            [CompletionResult]::new('build', 'build', [CompletionResultType]::ParameterValue, 'Build the site and publish it to a folder')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Report every error in the site without publishing it')
            [CompletionResult]::new('fix', 'fix', [CompletionResultType]::ParameterValue, 'Apply the safe fixes that messages suggest, then check')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Check the files of a published folder against its manifest.json')
            [CompletionResult]::new('deploy', 'deploy', [CompletionResultType]::ParameterValue, 'Copy the output folder to object storage, to a server over SSH or to a folder')
            [CompletionResult]::new('serve', 'serve', [CompletionResultType]::ParameterValue, 'Serve the site locally and update the browser after every save')
            [CompletionResult]::new('preview', 'preview', [CompletionResultType]::ParameterValue, 'Serve a published folder locally, as its hosting service does')
            [CompletionResult]::new('lsp', 'lsp', [CompletionResultType]::ParameterValue, 'Answer an editor that speaks the Language Server Protocol, on standard input and output')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain a diagnostic code, like `unknown-key`')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Print details of the build environment for bug reports')
            [CompletionResult]::new('translations', 'translations', [CompletionResultType]::ParameterValue, 'List missing and outdated translations, and exchange texts with translators')
            [CompletionResult]::new('types', 'types', [CompletionResultType]::ParameterValue, 'Write TypeScript types for islands and content to .sitegen/types')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print the JSON Schema for content/site.yaml, a page, an entry or a diagnostic')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitegen;help;new' {
            [CompletionResult]::new('page', 'page', [CompletionResultType]::ParameterValue, 'Create a draft page with the keys that its template needs')
            [CompletionResult]::new('entry', 'entry', [CompletionResultType]::ParameterValue, 'Create a draft entry in a collection with the keys that its schema requires')
            [CompletionResult]::new('island', 'island', [CompletionResultType]::ParameterValue, 'Create an island')
            [CompletionResult]::new('component', 'component', [CompletionResultType]::ParameterValue, 'Create a template component')
            break
        }
        'sitegen;help;new;page' {
            break
        }
        'sitegen;help;new;entry' {
            break
        }
        'sitegen;help;new;island' {
            break
        }
        'sitegen;help;new;component' {
            break
        }
        'sitegen;help;import' {
            break
        }
        'sitegen;help;build' {
            break
        }
        'sitegen;help;check' {
            break
        }
        'sitegen;help;fix' {
            break
        }
        'sitegen;help;verify' {
            break
        }
        'sitegen;help;deploy' {
            break
        }
        'sitegen;help;serve' {
            break
        }
        'sitegen;help;preview' {
            break
        }
        'sitegen;help;lsp' {
            break
        }
        'sitegen;help;explain' {
            break
        }
        'sitegen;help;doctor' {
            break
        }
        'sitegen;help;translations' {
            [CompletionResult]::new('confirm', 'confirm', [CompletionResultType]::ParameterValue, 'Write into translations that they translate the present version of their originals')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Print the texts that a language lacks as a PO file of gettext')
            [CompletionResult]::new('import', 'import', [CompletionResultType]::ParameterValue, 'Write the translations of a PO file into the content, once the whole site is checked with them')
            break
        }
        'sitegen;help;translations;confirm' {
            break
        }
        'sitegen;help;translations;export' {
            break
        }
        'sitegen;help;translations;import' {
            break
        }
        'sitegen;help;types' {
            break
        }
        'sitegen;help;schema' {
            break
        }
        'sitegen;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
