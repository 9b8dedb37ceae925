# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_sitegen_global_optspecs
    string join \n h/help V/version
end

function __fish_sitegen_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_sitegen_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_sitegen_using_subcommand
    set -l cmd (__fish_sitegen_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c sitegen -n "__fish_sitegen_needs_command" -s h -l help -d 'Print help'
complete -c sitegen -n "__fish_sitegen_needs_command" -s V -l version -d 'Print version'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "new" -d 'Create a project from a starter, or add a page, entry, island or component to a project'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "import" -d 'Create a project from the sources of a Hugo, Jekyll, Zola, Starlight, Docusaurus or mdBook site'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "build" -d 'Build the site and publish it to a folder'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "check" -d 'Report every error in the site without publishing it'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "fix" -d 'Apply the safe fixes that messages suggest, then check'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "verify" -d 'Check the files of a published folder against its manifest.json'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "deploy" -d 'Copy the output folder to object storage, to a server over SSH or to a folder'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "serve" -d 'Serve the site locally and update the browser after every save'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "preview" -d 'Serve a published folder locally, as its hosting service does'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "lsp" -d 'Answer an editor that speaks the Language Server Protocol, on standard input and output'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "explain" -d 'Explain a diagnostic code, like `unknown-key`'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "doctor" -d 'Print details of the build environment for bug reports'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "translations" -d 'List missing and outdated translations, and exchange texts with translators'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "types" -d 'Write TypeScript types for islands and content to .sitegen/types'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "schema" -d 'Print the JSON Schema for content/site.yaml, a page, an entry or a diagnostic'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and not __fish_seen_subcommand_from page entry island component" -l starter -d 'The starter to copy (asked for in a terminal, otherwise `minimal`)' -r -f -a "minimal\t'One page, one template and one stylesheet'
company\t'Home and about pages, news with a feed, and a contact form built as an island'
blog\t'Posts with tags, covers, link previews and a feed'
portfolio\t'Photographs in series, each series with a page'
docs\t'Documentation pages with navigation'"
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and not __fish_seen_subcommand_from page entry island component" -l name -d 'The name of the site (asked for in a terminal, otherwise that of the folder)' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and not __fish_seen_subcommand_from page entry island component" -l url -d 'The URL of the site (asked for in a terminal, otherwise `https://www.example.com`)' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and not __fish_seen_subcommand_from page entry island component" -l language -d 'The language of the site, like `de-AT` (asked for in a terminal, otherwise `en`)' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and not __fish_seen_subcommand_from page entry island component" -l languages -d 'Several languages, like `en,de,ar`: the first is that of the original texts' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and not __fish_seen_subcommand_from page entry island component" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and not __fish_seen_subcommand_from page entry island component" -a "page" -d 'Create a draft page with the keys that its template needs'
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and not __fish_seen_subcommand_from page entry island component" -a "entry" -d 'Create a draft entry in a collection with the keys that its schema requires'
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and not __fish_seen_subcommand_from page entry island component" -a "island" -d 'Create an island'
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and not __fish_seen_subcommand_from page entry island component" -a "component" -d 'Create a template component'
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and __fish_seen_subcommand_from page" -l template -d 'The template of the page, relative to templates/, like `pages/legal.html` [default: pages/page.html]' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and __fish_seen_subcommand_from page" -l root -d 'The project folder, which contains content/' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and __fish_seen_subcommand_from page" -s h -l help -d 'Print help'
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and __fish_seen_subcommand_from entry" -l root -d 'The project folder, which contains content/' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and __fish_seen_subcommand_from entry" -s h -l help -d 'Print help'
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and __fish_seen_subcommand_from island" -l root -d 'The project folder, which contains content/' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and __fish_seen_subcommand_from island" -s h -l help -d 'Print help'
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and __fish_seen_subcommand_from component" -l root -d 'The project folder, which contains content/' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and __fish_seen_subcommand_from component" -s h -l help -d 'Print help'
complete -c sitegen -n "__fish_sitegen_using_subcommand import" -l from -d 'The generator of the old site' -r -f -a "hugo\t'Hugo'
jekyll\t'Jekyll'
zola\t'Zola'
starlight\t'Starlight, of Astro'
docusaurus\t'Docusaurus'
mdbook\t'mdBook'"
complete -c sitegen -n "__fish_sitegen_using_subcommand import" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l root -d 'The project folder, which contains content/' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l base-url -d 'The URL of the deployed site; overrides `url` in content/site.yaml' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l now -d 'The build date, like 2026-12-01, for `publish` and `expires` [default: today in UTC, or SOURCE_DATE_EPOCH]' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l against -d 'The manifest.json of the previous publication, used to report removed addresses; `none` skips this check [default: the one in the output folder]' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l deny -d 'Treat warnings as errors' -r -f -a "warnings\t''"
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l format -d 'How to print diagnostics' -r -f -a "human\t'The source line, a caret under the error, and the fix'
short\t'One line per diagnostic'
json\t'One JSON object per line; `sitegen schema diagnostic` describes it'
github\t'GitHub annotations'
sarif\t'A SARIF 2.1.0 log on standard output'"
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l out -d 'The folder to publish to [default: dist/ in the project folder]' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l cache -d 'A cache that machines share: s3://bucket/prefix, gs://…, az://…, https://… of a Bazel cache, or a folder' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l shard -d 'Make one part of the pages and pictures, like 3/8, for the shared cache, and publish nothing' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l timings -d 'Print the time of each stage and the slowest pages' -r -f -a "table\t'A table of the stages and the slowest pages'
trace\t'The same table, and .sitegen/trace.json for chrome://tracing and ui.perfetto.dev'"
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l target -d 'The hosting service to build for; overrides `settings.host` in content/site.yaml' -r -f -a "none\t''
netlify\t''
cloudflare-pages\t''
vercel\t''
nginx\t''
caddy\t''
github-pages\t''"
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l drafts -d 'Include drafts, and pages and entries with a `publish` date in the future'
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l development -d 'Use React\'s development build, which explains island errors in the browser console'
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l staging -d 'Keep search engines out: robots.txt, every page and the response headers forbid indexing'
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -s q -l quiet -d 'Print errors only'
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l no-manifest -d 'Do not write manifest.json, which lists every file with its SHA-256'
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l in-place -d 'Replace files one by one and keep the folder itself, for a folder that a container mounts'
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -s v -l verbose -d 'Print every file with its size'
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l root -d 'The project folder, which contains content/' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l base-url -d 'The URL of the deployed site; overrides `url` in content/site.yaml' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l now -d 'The build date, like 2026-12-01, for `publish` and `expires` [default: today in UTC, or SOURCE_DATE_EPOCH]' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l against -d 'The manifest.json of the previous publication, used to report removed addresses; `none` skips this check [default: the one in the output folder]' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l deny -d 'Treat warnings as errors' -r -f -a "warnings\t''"
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l format -d 'How to print diagnostics' -r -f -a "human\t'The source line, a caret under the error, and the fix'
short\t'One line per diagnostic'
json\t'One JSON object per line; `sitegen schema diagnostic` describes it'
github\t'GitHub annotations'
sarif\t'A SARIF 2.1.0 log on standard output'"
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l cache -d 'A cache that machines share: s3://bucket/prefix, gs://…, az://…, https://… of a Bazel cache, or a folder' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l target -d 'The hosting service to build for; overrides `settings.host` in content/site.yaml' -r -f -a "none\t''
netlify\t''
cloudflare-pages\t''
vercel\t''
nginx\t''
caddy\t''
github-pages\t''"
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l drafts -d 'Include drafts, and pages and entries with a `publish` date in the future'
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l development -d 'Use React\'s development build, which explains island errors in the browser console'
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l staging -d 'Keep search engines out: robots.txt, every page and the response headers forbid indexing'
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -s q -l quiet -d 'Print errors only'
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l no-manifest -d 'Check as if building with --no-manifest'
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l suppress-all -d 'Write the errors that can be suppressed to suppressions.json; builds then pass as long as no more are added'
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l prune-suppressions -d 'Remove errors from suppressions.json that have been corrected'
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l fix -d 'Apply the safe fixes that messages suggest, as `sitegen fix` does'
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sitegen -n "__fish_sitegen_using_subcommand fix" -l root -d 'The project folder, which contains content/' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand fix" -l base-url -d 'The URL of the deployed site; overrides `url` in content/site.yaml' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand fix" -l now -d 'The build date, like 2026-12-01, for `publish` and `expires` [default: today in UTC, or SOURCE_DATE_EPOCH]' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand fix" -l against -d 'The manifest.json of the previous publication, used to report removed addresses; `none` skips this check [default: the one in the output folder]' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand fix" -l deny -d 'Treat warnings as errors' -r -f -a "warnings\t''"
complete -c sitegen -n "__fish_sitegen_using_subcommand fix" -l format -d 'How to print diagnostics' -r -f -a "human\t'The source line, a caret under the error, and the fix'
short\t'One line per diagnostic'
json\t'One JSON object per line; `sitegen schema diagnostic` describes it'
github\t'GitHub annotations'
sarif\t'A SARIF 2.1.0 log on standard output'"
complete -c sitegen -n "__fish_sitegen_using_subcommand fix" -l target -d 'The hosting service to build for; overrides `settings.host` in content/site.yaml' -r -f -a "none\t''
netlify\t''
cloudflare-pages\t''
vercel\t''
nginx\t''
caddy\t''
github-pages\t''"
complete -c sitegen -n "__fish_sitegen_using_subcommand fix" -l drafts -d 'Include drafts, and pages and entries with a `publish` date in the future'
complete -c sitegen -n "__fish_sitegen_using_subcommand fix" -l development -d 'Use React\'s development build, which explains island errors in the browser console'
complete -c sitegen -n "__fish_sitegen_using_subcommand fix" -l staging -d 'Keep search engines out: robots.txt, every page and the response headers forbid indexing'
complete -c sitegen -n "__fish_sitegen_using_subcommand fix" -s q -l quiet -d 'Print errors only'
complete -c sitegen -n "__fish_sitegen_using_subcommand fix" -l dry-run -d 'Print the changes as a diff, and write nothing'
complete -c sitegen -n "__fish_sitegen_using_subcommand fix" -l no-manifest -d 'Check as if building with --no-manifest'
complete -c sitegen -n "__fish_sitegen_using_subcommand fix" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sitegen -n "__fish_sitegen_using_subcommand verify" -l format -d 'How to print diagnostics' -r -f -a "human\t'The source line, a caret under the error, and the fix'
short\t'One line per diagnostic'
json\t'One JSON object per line; `sitegen schema diagnostic` describes it'
github\t'GitHub annotations'
sarif\t'A SARIF 2.1.0 log on standard output'"
complete -c sitegen -n "__fish_sitegen_using_subcommand verify" -s q -l quiet -d 'Print errors only'
complete -c sitegen -n "__fish_sitegen_using_subcommand verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sitegen -n "__fish_sitegen_using_subcommand deploy" -l root -d 'The project folder, which contains content/' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand deploy" -l to -d 'Where to deploy to, like s3://bucket or ssh://host/folder; overrides `settings.deploy.to` in content/site.yaml' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand deploy" -l over -d 'Deploy although somebody else has made this deploy since the last one from this folder' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand deploy" -l wait -d 'How long to wait for another running deploy before taking it over' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand deploy" -l format -d 'How to print diagnostics' -r -f -a "human\t'The source line, a caret under the error, and the fix'
short\t'One line per diagnostic'
json\t'One JSON object per line; `sitegen schema diagnostic` describes it'
github\t'GitHub annotations'
sarif\t'A SARIF 2.1.0 log on standard output'"
complete -c sitegen -n "__fish_sitegen_using_subcommand deploy" -l dry-run -d 'List what would change, and change nothing'
complete -c sitegen -n "__fish_sitegen_using_subcommand deploy" -l rollback -d 'Publish the site before the current one again, from what is kept at the target'
complete -c sitegen -n "__fish_sitegen_using_subcommand deploy" -l all -d 'Send every file again, and replace files that no deploy has put there'
complete -c sitegen -n "__fish_sitegen_using_subcommand deploy" -l no-rollback -d 'Keep no old content for `--rollback`'
complete -c sitegen -n "__fish_sitegen_using_subcommand deploy" -s q -l quiet -d 'Print errors only'
complete -c sitegen -n "__fish_sitegen_using_subcommand deploy" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l root -d 'The project folder, which contains content/' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l base-url -d 'The URL of the deployed site; overrides `url` in content/site.yaml' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l now -d 'The build date, like 2026-12-01, for `publish` and `expires` [default: today in UTC, or SOURCE_DATE_EPOCH]' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l against -d 'The manifest.json of the previous publication, used to report removed addresses; `none` skips this check [default: the one in the output folder]' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l deny -d 'Treat warnings as errors' -r -f -a "warnings\t''"
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l format -d 'How to print diagnostics' -r -f -a "human\t'The source line, a caret under the error, and the fix'
short\t'One line per diagnostic'
json\t'One JSON object per line; `sitegen schema diagnostic` describes it'
github\t'GitHub annotations'
sarif\t'A SARIF 2.1.0 log on standard output'"
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l port -d 'The port to listen on; if it is in use, the next free port [default: 8000]' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l address -d 'The IP address to listen on; 0.0.0.0 lets other machines connect' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l allowed-hosts -d 'Additional host names to accept, like that of a tunnel; localhost and the server\'s own addresses are always accepted, and `.example.com` allows all subdomains' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l target -d 'The hosting service to build for; overrides `settings.host` in content/site.yaml' -r -f -a "none\t''
netlify\t''
cloudflare-pages\t''
vercel\t''
nginx\t''
caddy\t''
github-pages\t''"
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l drafts -d 'Include drafts, and pages and entries with a `publish` date in the future'
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l development -d 'Use React\'s development build, which explains island errors in the browser console'
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l staging -d 'Keep search engines out: robots.txt, every page and the response headers forbid indexing'
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -s q -l quiet -d 'Print errors only'
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l open -d 'Open the site in a browser'
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l edit -d 'Also serve a page that edits the others: a click on a text changes it in its file below content/. Without --port, on a random port'
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l allow-remote-editing -d 'Allow --edit together with an --address that other machines reach, or with --allowed-hosts'
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sitegen -n "__fish_sitegen_using_subcommand preview" -l root -d 'The project folder; its content/site.yaml contains the settings for the hosting service' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand preview" -l target -d 'The hosting service to imitate; overrides `settings.host` in content/site.yaml' -r -f -a "none\t''
netlify\t''
cloudflare-pages\t''
vercel\t''
nginx\t''
caddy\t''
github-pages\t''"
complete -c sitegen -n "__fish_sitegen_using_subcommand preview" -l base-url -d 'The URL the site was built for; overrides `url` in content/site.yaml' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand preview" -l port -d 'The port to listen on; if it is in use, the next free port [default: 8000]' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand preview" -l address -d 'The IP address to listen on; 0.0.0.0 lets other machines connect' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand preview" -l allowed-hosts -d 'Additional host names to accept, like that of a tunnel; localhost and the server\'s own addresses are always accepted, and `.example.com` allows all subdomains' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand preview" -l open -d 'Open the site in a browser'
complete -c sitegen -n "__fish_sitegen_using_subcommand preview" -s h -l help -d 'Print help'
complete -c sitegen -n "__fish_sitegen_using_subcommand lsp" -l target -d 'The hosting service to check for; overrides `settings.host` in content/site.yaml' -r -f -a "none\t''
netlify\t''
cloudflare-pages\t''
vercel\t''
nginx\t''
caddy\t''
github-pages\t''"
complete -c sitegen -n "__fish_sitegen_using_subcommand lsp" -l drafts -d 'Include drafts, and pages and entries with a `publish` date in the future'
complete -c sitegen -n "__fish_sitegen_using_subcommand lsp" -l no-programs -d 'Run no program of the project: islands are not compiled'
complete -c sitegen -n "__fish_sitegen_using_subcommand lsp" -l stdio -d 'What some editors add; standard input and output are used anyway'
complete -c sitegen -n "__fish_sitegen_using_subcommand lsp" -s h -l help -d 'Print help'
complete -c sitegen -n "__fish_sitegen_using_subcommand explain" -s h -l help -d 'Print help'
complete -c sitegen -n "__fish_sitegen_using_subcommand doctor" -l root -d 'The project folder, which contains content/' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand doctor" -l out -d 'The output folder [default: dist/ in the project folder]' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand doctor" -l format -d 'How to print the report' -r -f -a "human\t'A table'
json\t'One JSON object per line, with `section`, `name`, `state`, `value` and, if action is needed, `help`'"
complete -c sitegen -n "__fish_sitegen_using_subcommand doctor" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and not __fish_seen_subcommand_from confirm export import" -l root -d 'The project folder, which contains content/' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and not __fish_seen_subcommand_from confirm export import" -l language -d 'Only this language, like `de`' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and not __fish_seen_subcommand_from confirm export import" -l format -d 'How to print the table' -r -f -a "table\t'A table of files and languages, with what each translation lacks'
json\t'One JSON object'"
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and not __fish_seen_subcommand_from confirm export import" -l deny -d 'Exit with 1 if there is such a text; may be given more than once' -r -f -a "untranslated\t'A text that a language shows in the language of the site'
stale\t'A translation of an earlier version of its original'
differs\t'A translation with other links, pictures, headings or placeholders than its original'"
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and not __fish_seen_subcommand_from confirm export import" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and not __fish_seen_subcommand_from confirm export import" -f -a "confirm" -d 'Write into translations that they translate the present version of their originals'
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and not __fish_seen_subcommand_from confirm export import" -f -a "export" -d 'Print the texts that a language lacks as a PO file of gettext'
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and not __fish_seen_subcommand_from confirm export import" -f -a "import" -d 'Write the translations of a PO file into the content, once the whole site is checked with them'
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and __fish_seen_subcommand_from confirm" -l root -d 'The project folder, which contains content/' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and __fish_seen_subcommand_from confirm" -s h -l help -d 'Print help'
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and __fish_seen_subcommand_from export" -l language -d 'The language to translate into, like `de`' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and __fish_seen_subcommand_from export" -l root -d 'The project folder, which contains content/' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and __fish_seen_subcommand_from export" -l all -d 'Print all texts, also those that are translated'
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and __fish_seen_subcommand_from export" -s h -l help -d 'Print help'
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and __fish_seen_subcommand_from import" -l language -d 'The language of the file [default: the one that its header names]' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and __fish_seen_subcommand_from import" -l root -d 'The project folder, which contains content/' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and __fish_seen_subcommand_from import" -l base-url -d 'The URL of the deployed site; overrides `url` in content/site.yaml' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and __fish_seen_subcommand_from import" -l target -d 'The hosting service to build for; overrides `settings.host` in content/site.yaml' -r -f -a "none\t''
netlify\t''
cloudflare-pages\t''
vercel\t''
nginx\t''
caddy\t''
github-pages\t''"
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and __fish_seen_subcommand_from import" -l now -d 'The build date, like 2026-12-01, for `publish` and `expires` [default: today in UTC, or SOURCE_DATE_EPOCH]' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and __fish_seen_subcommand_from import" -l against -d 'The manifest.json of the previous publication, used to report removed addresses; `none` skips this check [default: the one in the output folder]' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and __fish_seen_subcommand_from import" -l deny -d 'Treat warnings as errors' -r -f -a "warnings\t''"
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and __fish_seen_subcommand_from import" -l format -d 'How to print diagnostics' -r -f -a "human\t'The source line, a caret under the error, and the fix'
short\t'One line per diagnostic'
json\t'One JSON object per line; `sitegen schema diagnostic` describes it'
github\t'GitHub annotations'
sarif\t'A SARIF 2.1.0 log on standard output'"
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and __fish_seen_subcommand_from import" -l dry-run -d 'Print the changes as a diff, and write nothing'
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and __fish_seen_subcommand_from import" -l drafts -d 'Include drafts, and pages and entries with a `publish` date in the future'
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and __fish_seen_subcommand_from import" -l development -d 'Use React\'s development build, which explains island errors in the browser console'
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and __fish_seen_subcommand_from import" -l staging -d 'Keep search engines out: robots.txt, every page and the response headers forbid indexing'
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and __fish_seen_subcommand_from import" -s q -l quiet -d 'Print errors only'
complete -c sitegen -n "__fish_sitegen_using_subcommand translations; and __fish_seen_subcommand_from import" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sitegen -n "__fish_sitegen_using_subcommand types" -l root -d 'The project folder, which contains content/' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand types" -s h -l help -d 'Print help'
complete -c sitegen -n "__fish_sitegen_using_subcommand schema" -l from -d 'Print a schema inferred from the entries of a collection, like `beers`; review it before you use it' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand schema" -l for -d 'Print the configuration of a content manager that edits this project' -r -f -a "pages-cms\t'Pages CMS: .pages.yml'
decap\t'Decap CMS, formerly Netlify CMS: config.yml'
sveltia\t'Sveltia CMS: config.yml'
front-matter-cms\t'Front Matter CMS, an extension of Visual Studio Code: frontmatter.json'"
complete -c sitegen -n "__fish_sitegen_using_subcommand schema" -l repository -d 'The repository on GitHub that Decap CMS and Sveltia CMS write to, like `bakery/website`' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand schema" -l branch -d 'The branch that they write to' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand schema" -l root -d 'The project folder, which contains content/' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand schema" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new import build check fix verify deploy serve preview lsp explain doctor translations types schema help" -f -a "new" -d 'Create a project from a starter, or add a page, entry, island or component to a project'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new import build check fix verify deploy serve preview lsp explain doctor translations types schema help" -f -a "import" -d 'Create a project from the sources of a Hugo, Jekyll, Zola, Starlight, Docusaurus or mdBook site'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new import build check fix verify deploy serve preview lsp explain doctor translations types schema help" -f -a "build" -d 'Build the site and publish it to a folder'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new import build check fix verify deploy serve preview lsp explain doctor translations types schema help" -f -a "check" -d 'Report every error in the site without publishing it'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new import build check fix verify deploy serve preview lsp explain doctor translations types schema help" -f -a "fix" -d 'Apply the safe fixes that messages suggest, then check'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new import build check fix verify deploy serve preview lsp explain doctor translations types schema help" -f -a "verify" -d 'Check the files of a published folder against its manifest.json'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new import build check fix verify deploy serve preview lsp explain doctor translations types schema help" -f -a "deploy" -d 'Copy the output folder to object storage, to a server over SSH or to a folder'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new import build check fix verify deploy serve preview lsp explain doctor translations types schema help" -f -a "serve" -d 'Serve the site locally and update the browser after every save'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new import build check fix verify deploy serve preview lsp explain doctor translations types schema help" -f -a "preview" -d 'Serve a published folder locally, as its hosting service does'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new import build check fix verify deploy serve preview lsp explain doctor translations types schema help" -f -a "lsp" -d 'Answer an editor that speaks the Language Server Protocol, on standard input and output'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new import build check fix verify deploy serve preview lsp explain doctor translations types schema help" -f -a "explain" -d 'Explain a diagnostic code, like `unknown-key`'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new import build check fix verify deploy serve preview lsp explain doctor translations types schema help" -f -a "doctor" -d 'Print details of the build environment for bug reports'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new import build check fix verify deploy serve preview lsp explain doctor translations types schema help" -f -a "translations" -d 'List missing and outdated translations, and exchange texts with translators'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new import build check fix verify deploy serve preview lsp explain doctor translations types schema help" -f -a "types" -d 'Write TypeScript types for islands and content to .sitegen/types'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new import build check fix verify deploy serve preview lsp explain doctor translations types schema help" -f -a "schema" -d 'Print the JSON Schema for content/site.yaml, a page, an entry or a diagnostic'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new import build check fix verify deploy serve preview lsp explain doctor translations types schema help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and __fish_seen_subcommand_from new" -f -a "page" -d 'Create a draft page with the keys that its template needs'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and __fish_seen_subcommand_from new" -f -a "entry" -d 'Create a draft entry in a collection with the keys that its schema requires'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and __fish_seen_subcommand_from new" -f -a "island" -d 'Create an island'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and __fish_seen_subcommand_from new" -f -a "component" -d 'Create a template component'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and __fish_seen_subcommand_from translations" -f -a "confirm" -d 'Write into translations that they translate the present version of their originals'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and __fish_seen_subcommand_from translations" -f -a "export" -d 'Print the texts that a language lacks as a PO file of gettext'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and __fish_seen_subcommand_from translations" -f -a "import" -d 'Write the translations of a PO file into the content, once the whole site is checked with them'
