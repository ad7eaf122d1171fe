; Reads records in batches. Arguments: batch, batches, keep or drop.
(let [[size batches] (map #(Integer/parseInt %) (take 2 *command-line-args*))
      keep? (= "keep" (last *command-line-args*))
      cache (atom [])]
  (doseq [i (range 1 (inc batches))]
    (let [batch (doall (repeatedly size #(byte-array 65536)))]
      (when keep? (swap! cache conj batch))
      (println (str "batch " i "/" batches))))
  (println "done" (count @cache)))
