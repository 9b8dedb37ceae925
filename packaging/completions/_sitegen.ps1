
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
            [CompletionResult]::new('new', 'new', [CompletionResultType]::ParameterValue, 'Write a new project to start from')
            [CompletionResult]::new('build', 'build', [CompletionResultType]::ParameterValue, 'Build the site and publish it to a folder')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Find every error in the site, without publishing it')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Compare a published folder with its manifest.json')
            [CompletionResult]::new('serve', 'serve', [CompletionResultType]::ParameterValue, 'Serve the site and update it in the browser after every save')
            [CompletionResult]::new('preview', 'preview', [CompletionResultType]::ParameterValue, 'Serve a published folder as its host does')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain a code like `unknown-key`')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Report the environment that builds depend on, for bug reports')
            [CompletionResult]::new('types', 'types', [CompletionResultType]::ParameterValue, 'Write TypeScript types of islands and content to .sitegen/types')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print the JSON Schema of content/site.yaml, a page, an entry or a diagnostic')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitegen;new' {
            [CompletionResult]::new('--starter', '--starter', [CompletionResultType]::ParameterName, 'What the project starts with')
            [CompletionResult]::new('--name', '--name', [CompletionResultType]::ParameterName, 'The name of the site')
            [CompletionResult]::new('--url', '--url', [CompletionResultType]::ParameterName, 'The address of the site, like `https://www.example.com`')
            [CompletionResult]::new('--language', '--language', [CompletionResultType]::ParameterName, 'The language of the site, like `en` or `de-AT`')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('page', 'page', [CompletionResultType]::ParameterValue, 'Write a new page as a draft, with the keys that its template needs')
            [CompletionResult]::new('entry', 'entry', [CompletionResultType]::ParameterValue, 'Write a new entry of a collection as a draft, with the keys that its schema requires')
            [CompletionResult]::new('island', 'island', [CompletionResultType]::ParameterValue, 'Write a new island')
            [CompletionResult]::new('component', 'component', [CompletionResultType]::ParameterValue, 'Write a new component of templates')
            break
        }
        'sitegen;new;page' {
            [CompletionResult]::new('--template', '--template', [CompletionResultType]::ParameterName, 'The file in templates/ that renders the page, like `pages/legal.html` [default: pages/page.html]')
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project''s folder, with content/ in it')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitegen;new;entry' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project''s folder, with content/ in it')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitegen;new;island' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project''s folder, with content/ in it')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitegen;new;component' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project''s folder, with content/ in it')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitegen;build' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project''s folder, with content/ in it')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The address the site will have, in place of `url` in content/site.yaml')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'The day of the build, like 2026-12-01, for `publish` and `expires` [default: today in UTC, or SOURCE_DATE_EPOCH]')
            [CompletionResult]::new('--against', '--against', [CompletionResultType]::ParameterName, 'The manifest.json of the last publication, to report addresses that are gone; `none` compares nothing [default: that of the output folder]')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Treat warnings as errors')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to print diagnostics')
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'Where to publish [default: dist/ in the project''s folder]')
            [CompletionResult]::new('--timings', '--timings', [CompletionResultType]::ParameterName, 'Print the time of each stage and the slowest pages')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'The host to build for, in place of `settings.host` in content/site.yaml')
            [CompletionResult]::new('--drafts', '--drafts', [CompletionResultType]::ParameterName, 'Include drafts, and pages and entries whose first day is still to come')
            [CompletionResult]::new('--development', '--development', [CompletionResultType]::ParameterName, 'Use React''s development build, which explains errors of islands in the browser''s console')
            [CompletionResult]::new('--staging', '--staging', [CompletionResultType]::ParameterName, 'Keep search engines out: robots.txt, every page and the host''s headers forbid indexing')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--no-manifest', '--no-manifest', [CompletionResultType]::ParameterName, 'Leave out manifest.json, which names every file with its SHA-256')
            [CompletionResult]::new('--in-place', '--in-place', [CompletionResultType]::ParameterName, 'Replace files one by one and keep the folder itself, for a container that mounts it')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print every file with its size')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print every file with its size')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sitegen;check' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project''s folder, with content/ in it')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The address the site will have, in place of `url` in content/site.yaml')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'The day of the build, like 2026-12-01, for `publish` and `expires` [default: today in UTC, or SOURCE_DATE_EPOCH]')
            [CompletionResult]::new('--against', '--against', [CompletionResultType]::ParameterName, 'The manifest.json of the last publication, to report addresses that are gone; `none` compares nothing [default: that of the output folder]')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Treat warnings as errors')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to print diagnostics')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'The host to build for, in place of `settings.host` in content/site.yaml')
            [CompletionResult]::new('--drafts', '--drafts', [CompletionResultType]::ParameterName, 'Include drafts, and pages and entries whose first day is still to come')
            [CompletionResult]::new('--development', '--development', [CompletionResultType]::ParameterName, 'Use React''s development build, which explains errors of islands in the browser''s console')
            [CompletionResult]::new('--staging', '--staging', [CompletionResultType]::ParameterName, 'Keep search engines out: robots.txt, every page and the host''s headers forbid indexing')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--no-manifest', '--no-manifest', [CompletionResultType]::ParameterName, 'Check a build that leaves out manifest.json')
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
        'sitegen;serve' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project''s folder, with content/ in it')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The address the site will have, in place of `url` in content/site.yaml')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'The day of the build, like 2026-12-01, for `publish` and `expires` [default: today in UTC, or SOURCE_DATE_EPOCH]')
            [CompletionResult]::new('--against', '--against', [CompletionResultType]::ParameterName, 'The manifest.json of the last publication, to report addresses that are gone; `none` compares nothing [default: that of the output folder]')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Treat warnings as errors')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to print diagnostics')
            [CompletionResult]::new('--port', '--port', [CompletionResultType]::ParameterName, 'The port; if it is in use, the next free one')
            [CompletionResult]::new('--address', '--address', [CompletionResultType]::ParameterName, 'The address to listen on; 0.0.0.0 lets other machines connect')
            [CompletionResult]::new('--allowed-hosts', '--allowed-hosts', [CompletionResultType]::ParameterName, 'More names that the server answers to, such as that of a tunnel, besides localhost and its own addresses; `.example.com` allows all names below it')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'The host to build for, in place of `settings.host` in content/site.yaml')
            [CompletionResult]::new('--drafts', '--drafts', [CompletionResultType]::ParameterName, 'Include drafts, and pages and entries whose first day is still to come')
            [CompletionResult]::new('--development', '--development', [CompletionResultType]::ParameterName, 'Use React''s development build, which explains errors of islands in the browser''s console')
            [CompletionResult]::new('--staging', '--staging', [CompletionResultType]::ParameterName, 'Keep search engines out: robots.txt, every page and the host''s headers forbid indexing')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--open', '--open', [CompletionResultType]::ParameterName, 'Open the site in a browser')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sitegen;preview' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project''s folder; its content/site.yaml has the settings of the host')
            [CompletionResult]::new('--target', '--target', [CompletionResultType]::ParameterName, 'The host to serve as, in place of `settings.host` in content/site.yaml')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The address the site was built for, in place of `url` in content/site.yaml')
            [CompletionResult]::new('--port', '--port', [CompletionResultType]::ParameterName, 'The port; if it is in use, the next free one')
            [CompletionResult]::new('--address', '--address', [CompletionResultType]::ParameterName, 'The address to listen on; 0.0.0.0 lets other machines connect')
            [CompletionResult]::new('--allowed-hosts', '--allowed-hosts', [CompletionResultType]::ParameterName, 'More names that the server answers to, such as that of a tunnel, besides localhost and its own addresses; `.example.com` allows all names below it')
            [CompletionResult]::new('--open', '--open', [CompletionResultType]::ParameterName, 'Open the site in a browser')
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
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project''s folder, with content/ in it')
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'Where the site is published [default: dist/ in the project''s folder]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to print the report')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sitegen;types' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project''s folder, with content/ in it')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'sitegen;schema' {
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Print a schema for the entries of a collection, like `beers`, from what they have in common. Read it before you use it')
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The project''s folder, with content/ in it')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'sitegen;help' {
            [CompletionResult]::new('new', 'new', [CompletionResultType]::ParameterValue, 'Write a new project to start from')
            [CompletionResult]::new('build', 'build', [CompletionResultType]::ParameterValue, 'Build the site and publish it to a folder')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Find every error in the site, without publishing it')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Compare a published folder with its manifest.json')
            [CompletionResult]::new('serve', 'serve', [CompletionResultType]::ParameterValue, 'Serve the site and update it in the browser after every save')
            [CompletionResult]::new('preview', 'preview', [CompletionResultType]::ParameterValue, 'Serve a published folder as its host does')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain a code like `unknown-key`')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Report the environment that builds depend on, for bug reports')
            [CompletionResult]::new('types', 'types', [CompletionResultType]::ParameterValue, 'Write TypeScript types of islands and content to .sitegen/types')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print the JSON Schema of content/site.yaml, a page, an entry or a diagnostic')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sitegen;help;new' {
            [CompletionResult]::new('page', 'page', [CompletionResultType]::ParameterValue, 'Write a new page as a draft, with the keys that its template needs')
            [CompletionResult]::new('entry', 'entry', [CompletionResultType]::ParameterValue, 'Write a new entry of a collection as a draft, with the keys that its schema requires')
            [CompletionResult]::new('island', 'island', [CompletionResultType]::ParameterValue, 'Write a new island')
            [CompletionResult]::new('component', 'component', [CompletionResultType]::ParameterValue, 'Write a new component of templates')
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
        'sitegen;help;build' {
            break
        }
        'sitegen;help;check' {
            break
        }
        'sitegen;help;verify' {
            break
        }
        'sitegen;help;serve' {
            break
        }
        'sitegen;help;preview' {
            break
        }
        'sitegen;help;explain' {
            break
        }
        'sitegen;help;doctor' {
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
