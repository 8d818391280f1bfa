"""First practice questions and attention checks of a study, in the languages of surveys.

A survey never follows the browser's language, so they are here and not in the catalogue.
"""

from typing import NamedTuple

from study.domain.survey.look import Look, written_in


class OwnQuestion(NamedTuple):
    """A question of the study's own; the first candidate is the right one. Turns are {"speaker", "text"}.

    `explanation` says why it is right, to people who have answered a practice question. `place`, from 1, is where the
    right candidate always is, of a check that asks for a place; elsewhere the order is drawn.
    """

    context: list[dict[str, str]]
    candidates: list[str]
    explanation: str = ""
    place: int | None = None


PRACTICE = {
    "en": [
        OwnQuestion(
            [
                {"speaker": "A", "text": "Did you bring the tickets?"},
                {"speaker": "B", "text": "I thought you had put them in your bag."},
                {"speaker": "A", "text": "No, I left them on the kitchen table for you."},
            ],
            [
                "Then that is where they still are. Shall we go back?",
                "The kitchen was painted yellow last summer.",
                "I would rather have the soup, thank you.",
                "He works at the station on weekdays.",
            ],
            explanation=(
                "Both thought that the other had the tickets, so they are still on the table. Another line "
                "only repeats the word kitchen."
            ),
        ),
        OwnQuestion(
            [
                {"speaker": "A", "text": "The heating in my room is out again."},
                {"speaker": "B", "text": "Did you tell the landlord?"},
                {"speaker": "A", "text": "Twice. He says that he will come on Friday."},
            ],
            [
                "Friday? You will freeze until then. Take my heater.",
                "My landlord has two dogs and a cat.",
                "Yes, I would like a window seat.",
                "The film begins at eight on Fridays.",
            ],
            explanation=(
                "The next line answers what was said: A would wait until Friday in a cold room. Another line has "
                "Friday in it, too, but is about a film."
            ),
        ),
        OwnQuestion(
            [
                {"speaker": "A", "text": "How was the exam?"},
                {"speaker": "B", "text": "Harder than I thought. I left out the last question."},
                {"speaker": "A", "text": "Was it worth many points?"},
            ],
            [
                "Only five, so I may still pass.",
                "The library closes at six.",
                "Points are counted at the end of each round.",
                "I sold my old books last week.",
            ],
            explanation=(
                "It says how many points the question was worth. A line with the same word can belong to "
                "another conversation."
            ),
        ),
    ],
    "zh-hans": [
        OwnQuestion(
            [
                {"speaker": "A", "text": "票你带了吗？"},
                {"speaker": "B", "text": "我以为你放进包里了。"},
                {"speaker": "A", "text": "没有，我放在厨房桌上给你拿的。"},
            ],
            [
                "那就还在桌上，要不要回去拿？",
                "厨房去年夏天刷成了黄色。",
                "谢谢，我还是喝汤吧。",
                "他平时在车站上班。",
            ],
            explanation="两人都以为票在对方那里，所以票还在桌上。另有一句只是重复了“厨房”这个词。",
        ),
        OwnQuestion(
            [
                {"speaker": "A", "text": "我房间的暖气又坏了。"},
                {"speaker": "B", "text": "跟房东说了吗？"},
                {"speaker": "A", "text": "说了两次，他说星期五才来。"},
            ],
            [
                "星期五？那你得冻好几天，先用我的取暖器吧。",
                "我的房东养了两条狗和一只猫。",
                "好的，我想要靠窗的座位。",
                "星期五的电影八点开始。",
            ],
            explanation="这一句回应的是要在冷屋子里等到星期五。另一句也提到星期五，说的却是电影。",
        ),
        OwnQuestion(
            [
                {"speaker": "A", "text": "考试怎么样？"},
                {"speaker": "B", "text": "比想的难，最后一题没写。"},
                {"speaker": "A", "text": "那题分多吗？"},
            ],
            [
                "只有五分，应该还能及格。",
                "图书馆六点关门。",
                "每一轮结束时计分。",
                "我上星期把旧书卖了。",
            ],
            explanation="它说出了那道题值多少分。含有相同词语的句子也可能来自别的对话。",
        ),
    ],
}
# An instruction and an obvious answer in turn.
CHECKS = {
    "en": [
        OwnQuestion(
            [
                {"speaker": "A", "text": "The bus was late again this morning."},
                {"speaker": "B", "text": "Mine too, and then it rained on the way to the office."},
                {"speaker": "A", "text": "Whatever fits best here, please choose the line about an umbrella."},
            ],
            [
                "I left my blue umbrella on a bench by the river.",
                "The office has moved to the third floor.",
                "My brother takes the train on Mondays.",
                "You can buy a weekly ticket at the counter.",
                "It is always warm in that waiting room.",
                "The driver has a very long day.",
                "There is a new stop near the school.",
                "I usually read the paper on the way.",
                "We could share a taxi next time.",
                "The road is closed until Friday.",
            ],
        ),
        OwnQuestion(
            [
                {"speaker": "A", "text": "Excuse me, do you know what time it is?"},
                {"speaker": "B", "text": "One moment, my phone is in my bag."},
                {"speaker": "A", "text": "No hurry, I only want to know the time."},
            ],
            [
                "Here it is. It is ten past four.",
                "My cousin grows tomatoes on the balcony.",
                "We painted the whole fence green.",
                "The soup needs a little more salt.",
                "Her second album is much louder.",
                "They moved the sofa to the other wall.",
                "I have never liked roller coasters.",
                "The dog sleeps under the stairs.",
                "His team lost the final last year.",
                "You can borrow my tent in August.",
            ],
        ),
        OwnQuestion(
            [
                {"speaker": "A", "text": "I have been looking for a good recipe all week."},
                {"speaker": "B", "text": "There are thousands of them online."},
                {"speaker": "A", "text": "To show that you read this, please choose the second line of the list."},
            ],
            [
                "My aunt keeps hers in a blue folder.",
                "I like to cook with fresh herbs.",
                "We had noodles twice this week.",
                "The shop on the corner has good bread.",
                "You can freeze most of it for later.",
                "My oven is far too small for that.",
                "We always eat at seven.",
                "He bakes a cake every Sunday.",
                "The market opens early on Saturday.",
                "I never have enough pans.",
            ],
            place=2,
        ),
        OwnQuestion(
            [
                {"speaker": "A", "text": "What is your sister's name?"},
                {"speaker": "B", "text": "Which one? I have two of them."},
                {"speaker": "A", "text": "The one who lives in Madrid. What is she called?"},
            ],
            [
                "She is called Clara.",
                "The printer is out of paper again.",
                "I would take the stairs instead.",
                "Rice takes about twenty minutes.",
                "It snowed for three days.",
                "They sell used bicycles there.",
                "The lecture was moved to Tuesday.",
                "My left shoe has a hole.",
                "We saw it in the cinema.",
                "The bill came to forty euros.",
            ],
        ),
    ],
    "zh-hans": [
        OwnQuestion(
            [
                {"speaker": "A", "text": "今天早上公交又晚点了。"},
                {"speaker": "B", "text": "我那趟也是，到公司的路上还下起了雨。"},
                {"speaker": "A", "text": "不管哪一句最合适，这里请选提到雨伞的那一句。"},
            ],
            [
                "我把蓝色的雨伞落在河边的长椅上了。",
                "公司搬到三楼了。",
                "我弟弟星期一坐火车。",
                "周票可以在柜台买。",
                "那间候车室总是很暖和。",
                "司机一天要开很久的车。",
                "学校旁边新设了一站。",
                "我一般在路上看报纸。",
                "下次我们可以合打一辆车。",
                "那条路要封到星期五。",
            ],
        ),
        OwnQuestion(
            [
                {"speaker": "A", "text": "请问现在几点了？"},
                {"speaker": "B", "text": "稍等，我的手机在包里。"},
                {"speaker": "A", "text": "不急，我只想知道一下时间。"},
            ],
            [
                "拿到了，现在四点十分。",
                "我表妹在阳台上种番茄。",
                "我们把篱笆全刷成了绿色。",
                "这汤还要再加点盐。",
                "她的第二张专辑吵多了。",
                "他们把沙发挪到了另一面墙。",
                "我从来不喜欢过山车。",
                "狗睡在楼梯下面。",
                "他的球队去年输了决赛。",
                "八月你可以借我的帐篷。",
            ],
        ),
        OwnQuestion(
            [
                {"speaker": "A", "text": "我找了一个星期的菜谱。"},
                {"speaker": "B", "text": "网上有成千上万个。"},
                {"speaker": "A", "text": "为了表明你读了这句话，请选列表中的第二句。"},
            ],
            [
                "我姑姑的都放在蓝色文件夹里。",
                "我喜欢用新鲜香草做菜。",
                "这星期我们吃了两次面。",
                "街角那家店的面包不错。",
                "大部分可以冻起来以后吃。",
                "我的烤箱太小了，做不了。",
                "我们总是七点吃饭。",
                "他每个星期天都烤蛋糕。",
                "星期六市场开得早。",
                "我的锅总是不够用。",
            ],
            place=2,
        ),
        OwnQuestion(
            [
                {"speaker": "A", "text": "你姐姐叫什么名字？"},
                {"speaker": "B", "text": "哪一个？我有两个。"},
                {"speaker": "A", "text": "住在马德里的那个，她叫什么？"},
            ],
            [
                "她叫克拉拉。",
                "打印机又没纸了。",
                "我宁愿走楼梯。",
                "米饭要煮二十分钟左右。",
                "雪下了三天。",
                "那里卖二手自行车。",
                "讲座改到星期二了。",
                "我左脚的鞋破了个洞。",
                "我们是在电影院看的。",
                "账单一共四十欧元。",
            ],
        ),
    ],
}


def attention_check(language: str, candidates: int, look: Look, number: int = 0) -> OwnQuestion:
    """Return one of the checks with as many candidates as the study's questions have, written in their look.

    It has fewer where its own lines do not suffice.
    """
    check = CHECKS[language][number]
    turns = [{**turn, "text": written_in(turn["text"], look)} for turn in check.context]
    lines = [written_in(line, look) for line in check.candidates[: max(2, candidates)]]
    return check._replace(context=turns, candidates=lines)
