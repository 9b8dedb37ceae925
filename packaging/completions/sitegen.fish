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
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "new" -d 'Write a new project to start from'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "build" -d 'Build the site and publish it to a folder'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "check" -d 'Find every error in the site, without publishing it'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "verify" -d 'Compare a published folder with its manifest.json'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "serve" -d 'Serve the site and update it in the browser after every save'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "preview" -d 'Serve a published folder as its host does'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "explain" -d 'Explain a code like `unknown-key`'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "doctor" -d 'Report the environment that builds depend on, for bug reports'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "types" -d 'Write TypeScript types of islands and content to .sitegen/types'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "schema" -d 'Print the JSON Schema of content/site.yaml, a page, an entry or a diagnostic'
complete -c sitegen -n "__fish_sitegen_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and not __fish_seen_subcommand_from page entry island component" -l starter -d 'What the project starts with' -r -f -a "minimal\t'One page, one template and one stylesheet'
company\t'Home, about, news with a feed, and a contact form that is an island'
docs\t'Pages with a navigation, for documentation'"
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and not __fish_seen_subcommand_from page entry island component" -l name -d 'The name of the site' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and not __fish_seen_subcommand_from page entry island component" -l url -d 'The address of the site, like `https://www.example.com`' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and not __fish_seen_subcommand_from page entry island component" -l language -d 'The language of the site, like `en` or `de-AT`' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and not __fish_seen_subcommand_from page entry island component" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and not __fish_seen_subcommand_from page entry island component" -a "page" -d 'Write a new page as a draft, with the keys that its template needs'
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and not __fish_seen_subcommand_from page entry island component" -a "entry" -d 'Write a new entry of a collection as a draft, with the keys that its schema requires'
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and not __fish_seen_subcommand_from page entry island component" -a "island" -d 'Write a new island'
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and not __fish_seen_subcommand_from page entry island component" -a "component" -d 'Write a new component of templates'
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and __fish_seen_subcommand_from page" -l template -d 'The file in templates/ that renders the page, like `pages/legal.html` [default: pages/page.html]' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and __fish_seen_subcommand_from page" -l root -d 'The project\'s folder, with content/ in it' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and __fish_seen_subcommand_from page" -s h -l help -d 'Print help'
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and __fish_seen_subcommand_from entry" -l root -d 'The project\'s folder, with content/ in it' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and __fish_seen_subcommand_from entry" -s h -l help -d 'Print help'
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and __fish_seen_subcommand_from island" -l root -d 'The project\'s folder, with content/ in it' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and __fish_seen_subcommand_from island" -s h -l help -d 'Print help'
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and __fish_seen_subcommand_from component" -l root -d 'The project\'s folder, with content/ in it' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand new; and __fish_seen_subcommand_from component" -s h -l help -d 'Print help'
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l root -d 'The project\'s folder, with content/ in it' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l base-url -d 'The address the site will have, in place of `url` in content/site.yaml' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l now -d 'The day of the build, like 2026-12-01, for `publish` and `expires` [default: today in UTC, or SOURCE_DATE_EPOCH]' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l against -d 'The manifest.json of the last publication, to report addresses that are gone; `none` compares nothing [default: that of the output folder]' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l deny -d 'Treat warnings as errors' -r -f -a "warnings\t''"
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l format -d 'How to print diagnostics' -r -f -a "human\t'The line, a caret under the error, and the fix'
short\t'One line each'
json\t'One JSON object per line; `sitegen schema diagnostic` describes it'
github\t'GitHub annotations'
sarif\t'A SARIF 2.1.0 log on standard output'"
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l out -d 'Where to publish [default: dist/ in the project\'s folder]' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l timings -d 'Print the time of each stage and the slowest pages' -r -f -a "table\t'A table of the stages, and the slowest pages'
trace\t'That table, and .sitegen/trace.json for chrome://tracing and ui.perfetto.dev'"
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l target -d 'The host to build for, in place of `settings.host` in content/site.yaml' -r -f -a "none\t''
netlify\t''
cloudflare-pages\t''
vercel\t''
nginx\t''
caddy\t''
github-pages\t''"
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l drafts -d 'Include drafts, and pages and entries whose first day is still to come'
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l development -d 'Use React\'s development build, which explains errors of islands in the browser\'s console'
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l staging -d 'Keep search engines out: robots.txt, every page and the host\'s headers forbid indexing'
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -s q -l quiet -d 'Print errors only'
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l no-manifest -d 'Leave out manifest.json, which names every file with its SHA-256'
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -l in-place -d 'Replace files one by one and keep the folder itself, for a container that mounts it'
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -s v -l verbose -d 'Print every file with its size'
complete -c sitegen -n "__fish_sitegen_using_subcommand build" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l root -d 'The project\'s folder, with content/ in it' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l base-url -d 'The address the site will have, in place of `url` in content/site.yaml' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l now -d 'The day of the build, like 2026-12-01, for `publish` and `expires` [default: today in UTC, or SOURCE_DATE_EPOCH]' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l against -d 'The manifest.json of the last publication, to report addresses that are gone; `none` compares nothing [default: that of the output folder]' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l deny -d 'Treat warnings as errors' -r -f -a "warnings\t''"
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l format -d 'How to print diagnostics' -r -f -a "human\t'The line, a caret under the error, and the fix'
short\t'One line each'
json\t'One JSON object per line; `sitegen schema diagnostic` describes it'
github\t'GitHub annotations'
sarif\t'A SARIF 2.1.0 log on standard output'"
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l target -d 'The host to build for, in place of `settings.host` in content/site.yaml' -r -f -a "none\t''
netlify\t''
cloudflare-pages\t''
vercel\t''
nginx\t''
caddy\t''
github-pages\t''"
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l drafts -d 'Include drafts, and pages and entries whose first day is still to come'
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l development -d 'Use React\'s development build, which explains errors of islands in the browser\'s console'
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l staging -d 'Keep search engines out: robots.txt, every page and the host\'s headers forbid indexing'
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -s q -l quiet -d 'Print errors only'
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -l no-manifest -d 'Check a build that leaves out manifest.json'
complete -c sitegen -n "__fish_sitegen_using_subcommand check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sitegen -n "__fish_sitegen_using_subcommand verify" -l format -d 'How to print diagnostics' -r -f -a "human\t'The line, a caret under the error, and the fix'
short\t'One line each'
json\t'One JSON object per line; `sitegen schema diagnostic` describes it'
github\t'GitHub annotations'
sarif\t'A SARIF 2.1.0 log on standard output'"
complete -c sitegen -n "__fish_sitegen_using_subcommand verify" -s q -l quiet -d 'Print errors only'
complete -c sitegen -n "__fish_sitegen_using_subcommand verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l root -d 'The project\'s folder, with content/ in it' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l base-url -d 'The address the site will have, in place of `url` in content/site.yaml' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l now -d 'The day of the build, like 2026-12-01, for `publish` and `expires` [default: today in UTC, or SOURCE_DATE_EPOCH]' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l against -d 'The manifest.json of the last publication, to report addresses that are gone; `none` compares nothing [default: that of the output folder]' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l deny -d 'Treat warnings as errors' -r -f -a "warnings\t''"
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l format -d 'How to print diagnostics' -r -f -a "human\t'The line, a caret under the error, and the fix'
short\t'One line each'
json\t'One JSON object per line; `sitegen schema diagnostic` describes it'
github\t'GitHub annotations'
sarif\t'A SARIF 2.1.0 log on standard output'"
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l port -d 'The port; if it is in use, the next free one' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l address -d 'The address to listen on; 0.0.0.0 lets other machines connect' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l allowed-hosts -d 'More names that the server answers to, such as that of a tunnel, besides localhost and its own addresses; `.example.com` allows all names below it' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l target -d 'The host to build for, in place of `settings.host` in content/site.yaml' -r -f -a "none\t''
netlify\t''
cloudflare-pages\t''
vercel\t''
nginx\t''
caddy\t''
github-pages\t''"
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l drafts -d 'Include drafts, and pages and entries whose first day is still to come'
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l development -d 'Use React\'s development build, which explains errors of islands in the browser\'s console'
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l staging -d 'Keep search engines out: robots.txt, every page and the host\'s headers forbid indexing'
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -s q -l quiet -d 'Print errors only'
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -l open -d 'Open the site in a browser'
complete -c sitegen -n "__fish_sitegen_using_subcommand serve" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sitegen -n "__fish_sitegen_using_subcommand preview" -l root -d 'The project\'s folder; its content/site.yaml has the settings of the host' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand preview" -l target -d 'The host to serve as, in place of `settings.host` in content/site.yaml' -r -f -a "none\t''
netlify\t''
cloudflare-pages\t''
vercel\t''
nginx\t''
caddy\t''
github-pages\t''"
complete -c sitegen -n "__fish_sitegen_using_subcommand preview" -l base-url -d 'The address the site was built for, in place of `url` in content/site.yaml' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand preview" -l port -d 'The port; if it is in use, the next free one' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand preview" -l address -d 'The address to listen on; 0.0.0.0 lets other machines connect' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand preview" -l allowed-hosts -d 'More names that the server answers to, such as that of a tunnel, besides localhost and its own addresses; `.example.com` allows all names below it' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand preview" -l open -d 'Open the site in a browser'
complete -c sitegen -n "__fish_sitegen_using_subcommand preview" -s h -l help -d 'Print help'
complete -c sitegen -n "__fish_sitegen_using_subcommand explain" -s h -l help -d 'Print help'
complete -c sitegen -n "__fish_sitegen_using_subcommand doctor" -l root -d 'The project\'s folder, with content/ in it' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand doctor" -l out -d 'Where the site is published [default: dist/ in the project\'s folder]' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand doctor" -l format -d 'How to print the report' -r -f -a "human\t'A table'
json\t'One JSON object per line, with `section`, `name`, `state`, `value` and, where something is to be done, `help`'"
complete -c sitegen -n "__fish_sitegen_using_subcommand doctor" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sitegen -n "__fish_sitegen_using_subcommand types" -l root -d 'The project\'s folder, with content/ in it' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand types" -s h -l help -d 'Print help'
complete -c sitegen -n "__fish_sitegen_using_subcommand schema" -l from -d 'Print a schema for the entries of a collection, like `beers`, from what they have in common. Read it before you use it' -r
complete -c sitegen -n "__fish_sitegen_using_subcommand schema" -l root -d 'The project\'s folder, with content/ in it' -r -F
complete -c sitegen -n "__fish_sitegen_using_subcommand schema" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new build check verify serve preview explain doctor types schema help" -f -a "new" -d 'Write a new project to start from'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new build check verify serve preview explain doctor types schema help" -f -a "build" -d 'Build the site and publish it to a folder'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new build check verify serve preview explain doctor types schema help" -f -a "check" -d 'Find every error in the site, without publishing it'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new build check verify serve preview explain doctor types schema help" -f -a "verify" -d 'Compare a published folder with its manifest.json'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new build check verify serve preview explain doctor types schema help" -f -a "serve" -d 'Serve the site and update it in the browser after every save'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new build check verify serve preview explain doctor types schema help" -f -a "preview" -d 'Serve a published folder as its host does'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new build check verify serve preview explain doctor types schema help" -f -a "explain" -d 'Explain a code like `unknown-key`'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new build check verify serve preview explain doctor types schema help" -f -a "doctor" -d 'Report the environment that builds depend on, for bug reports'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new build check verify serve preview explain doctor types schema help" -f -a "types" -d 'Write TypeScript types of islands and content to .sitegen/types'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new build check verify serve preview explain doctor types schema help" -f -a "schema" -d 'Print the JSON Schema of content/site.yaml, a page, an entry or a diagnostic'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and not __fish_seen_subcommand_from new build check verify serve preview explain doctor types schema help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and __fish_seen_subcommand_from new" -f -a "page" -d 'Write a new page as a draft, with the keys that its template needs'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and __fish_seen_subcommand_from new" -f -a "entry" -d 'Write a new entry of a collection as a draft, with the keys that its schema requires'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and __fish_seen_subcommand_from new" -f -a "island" -d 'Write a new island'
complete -c sitegen -n "__fish_sitegen_using_subcommand help; and __fish_seen_subcommand_from new" -f -a "component" -d 'Write a new component of templates'
