"""The short list of coarse words that ships with the product. Projects upload longer ones of their own."""

DIRTY_WORDS = (
    # Chinese
    "他妈的", "你妈的", "妈的", "操你妈", "草泥马", "去你妈", "傻逼", "傻屄", "煞笔", "装逼", "牛逼", "狗屁", "放屁",
    "混蛋", "王八蛋", "狗日的", "滚蛋", "贱人", "婊子", "妓女", "嫖娼", "卖淫", "约炮", "裸聊", "色情", "黄片",
    "做爱", "强奸", "操蛋", "变态狂", "去死吧",
    # English
    "fuck", "fucks", "fucked", "fucker", "fucking", "motherfucker", "shit", "shitty", "bullshit", "bitch", "bitches",
    "asshole", "bastard", "cunt", "dick", "dickhead", "pussy", "slut", "whore", "porn", "porno", "blowjob",
)  # fmt: skip
