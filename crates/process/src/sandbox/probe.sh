# Says, from within the walls, what can be seen and done there: one fact in a line, its name first.
# Arguments: the name of this probe, a file that it may read, how many of the paths that follow are secrets, these, and
# paths to write to.
name=$1
fact() { printf '%s %s\n' "$1" "$2"; }
yes_or_no() { if "$@" 2> /dev/null; then echo yes; else echo no; fi; }
write() (: >> "$1")

fact begin "$name"

fact given "$(yes_or_no test -r "$2")"
secrets=$3
shift 3
number=0
while [ $number -lt "$secrets" ]; do
    fact "sees-$number" "$(yes_or_no test -e "$1")"
    number=$((number + 1))
    shift
done
number=0
for path; do
    fact "writes-$number" "$(yes_or_no write "$path")"
    number=$((number + 1))
done
fact folder "$(yes_or_no write "$name")"
echo "$name" > "$name"

while read -r number parent device root point options rest; do
    fact mount "${options%%,*} $point"
done < /proc/$$/mountinfo

for kind in user pid net ipc uts mnt; do
    fact "namespace-$kind" "$(readlink /proc/$$/ns/$kind)"
done
fact nests "$(yes_or_no unshare --user true)"

interfaces=
while IFS=: read -r interface counts; do
    if [ -n "$counts" ]; then interfaces="$interfaces$interface"; fi
done < /proc/net/dev
fact interfaces "$interfaces"
routes=-1
while read -r line; do routes=$((routes + 1)); done < /proc/net/route
fact routes $routes

fact self $$
read -r number command state parent group session rest < /proc/$$/stat
fact session "$session"
set -- /proc/[0-9]*
fact processes "$*"

files=
for file in /proc/$$/fd/*; do
    if [ -e "$file" ]; then files="$files ${file##*/}"; fi
done
fact files "$files"

limit() { fact "limit-$1" "$2 $3"; }
while read -r line; do
    # The words after a name are values.
    case $line in
        "Max cpu time "*) limit cpu ${line#Max cpu time } ;;
        "Max file size "*) limit file ${line#Max file size } ;;
        "Max address space "*) limit memory ${line#Max address space } ;;
        "Max core file size "*) limit core ${line#Max core file size } ;;
    esac
done < /proc/$$/limits

# Both try one MiB more than allowed.
fact fills-memory "$(yes_or_no dd if=/dev/zero of=/dev/null bs=1025M count=1)"
fact fills-file "$(yes_or_no dd if=/dev/zero of=big bs=1M count=2)"

while read -r key values; do
    case $key in
        Uid: | Gid: | CapInh: | CapPrm: | CapEff: | CapBnd: | CapAmb: | NoNewPrivs:) fact "status-${key%:}" "$values" ;;
    esac
done < /proc/$$/status

env | while IFS='=' read -r variable value; do fact variable "$variable"; done

fact end "$name"
