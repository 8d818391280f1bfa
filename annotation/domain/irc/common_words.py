"""Very common English words, which are no recipients even where a user is called so; written for this product."""

WORDS = """
a able about above accept access according account across act action active actual actually add added address advice
after afternoon again against age ago agree ah ahead air all allow allowed almost alone along already alright also
although always am amazing among amount an and another answer answers any anybody anyhow anymore anyone anything
anytime anyway anywhere apart apparently appear apply are area around as ask asked asking asks at attempt available
avoid away awesome back bad bah basic basically be bear beat beautiful became because become been before began begin
behind being believe below best bet better between beyond big bit black blank blue body book books both bother
bottom bought box boy break bring broke broken brother brought build building built bunch business but buy by bye
call called calling came can cannot cant car card care careful case cases catch cause certain certainly chance
change changed changes channel charge chat cheap check checked checking cheers child choice choose city class clean
clear clearly click close closed code cold color come comes coming command comment common company complete
completely computer confused connect consider contact continue control convert cool copy correct correctly cost
could couldn couldnt count country couple course cover crap crazy create created cross current currently cut cute
damn dang dark data date day days dead deal dear decide decided deep default definitely delete depends describe
desktop did didn didnt die difference different difficult disable disk do does doesn doesnt dog doing don done dont
door double doubt down download drive drop drunk dude due dumb during each earlier early easier easiest easily easy
eat edit either else email empty enable end ends english enjoy enough enter entire error errors especially etc even
evening ever every everybody everyone everything everywhere exact exactly example excellent except exist exit expect
expected explain extra eye eyes face fact fail failed fails fair fairly fall family far fast fault favor feel felt
few field figure figured file files fill final finally find fine finish finished fire first fit fix fixed fixing
floor folder folks follow following food foot for force forget forgot form format forward found four free fresh
friday friend friends from front full fully fun funny further future game games gave general get gets getting girl
give given gives giving glad go god goes going gone gonna good goodbye goodnight google got gotcha gotta grab great
green ground group grr guess guide guy guys ha had haha hahaha hair half hand handle hands hang happen happened
happening happens happy hard hardly hardware has hasn hasnt hate have haven havent having he head hear heard heart
heat heh hell hello help helped helpful helping helps her here hero hes hey hi hidden hide high him himself his
history hit hmm hmmm hold hole home hope hopefully hot hour hours house how however hows huge huh human hundred
hurry hurt i ice id idea ideas idk if ignore ill im image imagine important impossible in include included indeed
info information inside install installed installing instead interested interesting internet into is isn isnt issue
issues it item its itself ive job join joined joke july june just keep keeps kept key keyboard kick kid kill kind
king knew know knowing known knows lack land language laptop large last late later latest laugh laughing law lead
learn learned least leave leaves leaving left legal less let lets letter level library lie life light like liked
likely limit line lines link links list listen little live living load local lock log logged logs lol long longer
look looked looking looks loop lost lot lots loud love low luck lucky mad made mail main make makes making man
manual many map march mark master match matter may maybe me mean means meant media meet member memory men mention
mentioned menu message messages met middle might mind mine minute minutes miss missed missing mm mode model modern
moment monday money monitor month months more morning most mostly mother mount mouse move moved moving much music
must my myself name named names near nearly necessary need needed needs neither network never new news next nice
night nine no nobody none nope nor normal normally not note nothing notice now number numbers object odd of off
offer office often oh ok okay old on once one ones online only oops open opened opens option options or order
original other others otherwise ought our out output outside over own owner page paid pain panel paper part parts
party pass password past paste path pay people per perfect perhaps period permission person phone pick picture
pictures piece place places plan play played player playing please plenty plug plus pm point points pop port
possible possibly post posted power practice press pretty prevent previous price print private probably problem
problems process program programs project proper properly protect proud prove provide public pull push put puts
query question questions quick quickly quiet quit quite radio rain ran random rather reach read reading ready real
really reason reboot receive recent recently recommend record red regular related release remember remind remote
remove removed repeat replace reply report require required rest restart result results return review rid right ring
road rock room root round rule rules run running runs sad safe said same sat saturday save saved saw say saying says
school screen script scroll search second seconds section see seem seems seen select self send sense sent separate
serious seriously server serves set sets setting settings setup seven several shall share she shell shes ship shoot
shop short should shouldn show showed showing shown shows shut sick side sign similar simple simply since single sir
sister sit site six size skip sleep slow slowly small smart smile snap so soft software sold solution solve solved
some somebody somehow someone something sometime sometimes somewhat somewhere son song soon sorry sort sorts sound
sounds source space speak special specific speed spend split spring stable stand standard star start started
starting starts state stay step steps stick still stop stopped stops store story straight strange street string
strong stuck study stuff stupid style such suck sucks suddenly suggest suggestion suggestions sum summer sunday sup
super support suppose supposed sure surely surprise sweet switch system table take taken takes taking talk talking
tape task team tech tell telling ten term terminal terms test tested testing text than thank thanks thankyou that
thats the their them themselves then there therefore theres these they theyre thing things think thinking third this
those though thought thousand three through throw thursday thus tickets time times tiny tip tips tired to today
together told tomorrow ton tonight too took tool tools top total totally touch tough toward town track trade train
travel tree tried tries trouble true trust truth try trying tuesday turn turned turns tv twice two type typed types
typical typing ugh um under understand understood unfortunately unless until up update updated updates upgrade upon
us usage use used useful user users uses using usual usually value various version very via video view visit voice
wait waiting wake walk wall wanna want wanted wants war warm warning was wasn wasnt waste watch watching water way
ways we wear weather web wednesday week weekend weeks weird welcome well went were weren weve what whatever whats
when whenever where wherever whether which while white who whoa whole whom whose why wide wife will win wind window
windows winter wish with within without woman won wonder wonderful wondering wont wood word words work worked
working works world worry worse worst worth would wouldn wow write writing written wrong wrote yay yeah year years
yell yellow yep yes yesterday yet you young your youre yours yourself youve yup zero
"""
COMMON_WORDS = frozenset(WORDS.split())
