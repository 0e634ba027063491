/**
 * The scripts that `conformance completion` prints, by shell. At each Tab, a script calls the hidden command `complete`
 * of the program that is being typed. No space follows a text that ends with `/` or `=`.
 */
export const completionScripts = {
  // Bash breaks words at = and :, and replaces only the part after them.
  bash: `# To use it now: eval "$(conformance completion bash)". To keep it, add this line to ~/.bashrc.
_conformance() {
  local line="\${COMP_LINE:0:COMP_POINT}" words word part kept file text
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  word="\${words[\${#words[@]}-1]}" part="$word" COMPREPLY=()
  [[ $COMP_WORDBREAKS == *=* ]] && part="\${part##*=}"
  [[ $COMP_WORDBREAKS == *:* ]] && part="\${part##*:}"
  kept="\${word%"$part"}"
  while IFS=$'\\t' read -r text _; do
    if [[ $text == :files ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "\${word##*=}")
    else
      [[ $text == *[/=] ]] && compopt -o nospace 2>/dev/null
      COMPREPLY+=("\${text#"$kept"}")
    fi
  done < <("\${words[0]}" complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -F _conformance conformance model-gateway-conformance
`,
  zsh: `#compdef conformance model-gateway-conformance
# To use it now: source <(conformance completion zsh), after compinit. To keep it, write the output to a file
# _conformance in a folder of $fpath.
_conformance() {
  local line text about
  local -a open closed
  for line in "\${(@f)$("\${words[1]}" complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then
      compset -P '*='
      _files
      return
    fi
    text="\${\${line%%$'\\t'*}//:/\\\\:}" about=""
    [[ $line == *$'\\t'* ]] && about=":\${line#*$'\\t'}"
    [[ -z $text ]] && continue
    if [[ $text == *[/=] ]]; then open+=("$text$about"); else closed+=("$text$about"); fi
  done
  _describe -t names conformance closed -- open -S ''
}
if [[ \${funcstack[1]} == _conformance ]]; then
  _conformance "$@"
else
  compdef _conformance conformance model-gateway-conformance
fi
`,
  fish: `# To use it now: conformance completion fish | source. To keep it, write the output to
# ~/.config/fish/completions/conformance.fish.
function __conformance_complete
  set -l words (commandline -opc)
  set -l word (commandline -ct)
  test -n "$word"; or set word ''
  set -l found ($words[1] complete -- $words[2..] $word 2>/dev/null)
  if test "$found[1]" = ':files'
    set -l kept (string match -r '^.*=' -- $word)
    for path in (__fish_complete_path (string replace -r '^.*=' '' -- $word))
      echo "$kept$path"
    end
  else if set -q found[1]
    printf '%s\\n' $found
  end
end
complete -c conformance -f -a '(__conformance_complete)'
complete -c model-gateway-conformance -f -a '(__conformance_complete)'
`,
} as const;
